import {
  loadHubConfig,
  loadIdentityConfig,
  loadPartialHubConfig,
  type ConfigOptions,
  type Environment,
  type HubConfig,
} from '../config.ts';
import type { DeviceIdentity } from '../identity/identity.ts';
import { readPairingValue } from './pairing-value.ts';
import { redeemKey } from './redeem-key.ts';
import { keepPairing, readPairing } from './stored-pairing.ts';

/** The configured hub and token, or those of a pairing; undefined where a token is missing. Throws an AgentError. */
export async function findHub(options: ConfigOptions, env: Environment): Promise<HubConfig | undefined> {
  const { hubUrl, hasToken } = loadPartialHubConfig(options, env);
  if (hasToken) return loadHubConfig(options, env);
  const paired = await readPairing(loadIdentityConfig(options, env).stateDir);
  return hubUrl === undefined || hubUrl === paired?.hubUrl ? paired : undefined;
}

/** Pairs this device by `KEY` or `domain,KEY`, and keeps the token. Rejected with an AgentError or a ConnectError. */
export async function pairBy(
  value: string,
  { fingerprint }: DeviceIdentity,
  options: ConfigOptions,
  env: Environment,
): Promise<HubConfig> {
  const { deviceName, ...rules } = loadPartialHubConfig(options, env);
  const paired = await redeemKey(readPairingValue(value, rules), { fingerprint, deviceName });
  await keepPairing(loadIdentityConfig(options, env).stateDir, paired);
  return paired;
}
