import { setTimeout as delay } from 'node:timers/promises';
import { mapConcurrently, readList } from '@corral/client';
import { ActionError, type Id, type Output } from '@corral/contract';
import type { Hub } from '../hub/hub.ts';
import { plainText } from '../output/plain-text.ts';
import { failureOf } from '../failure.ts';
import { type AgentAddress, addressTexts } from './addresses.ts';
import { isReady, offerKey } from './agent-door.ts';
import type { DeviceNames } from './names-file.ts';

type ListedKey = Output<'projects_QueryDevicePairingKeys'>['pairingKeys'][number];

/** How the pairing at an address ended. */
export interface PairedAddress {
  readonly address: AgentAddress;
  readonly state: 'connected' | 'paired' | 'failed' | 'notReady';
  readonly deviceId?: Id<'device'>;
  readonly name?: string;
  /** Why it failed, or what else did, safe to show. */
  readonly problem?: string;
}

/** What is paired, and where. */
export interface Pairing {
  readonly hub: Hub;
  readonly projectId: Id<'project'>;
  readonly names: DeviceNames;
  /** How long to wait for a paired device to connect. */
  readonly connectMs: number;
}

/** Asked at the same time: a network of 4,094 addresses where nobody answers takes half a minute. */
const askedAtOnce = 256;
/** Some less than the keys that may be open, so that others can pair meanwhile. */
const pairedAtOnce = 12;
const pollMs = 500;

/** Finds which of the addresses have an agent that is ready. */
export async function findReady(addresses: readonly AgentAddress[]): Promise<AgentAddress[]> {
  const found = await mapConcurrently(
    addresses,
    async (address) => ((await isReady(address)) ? [address] : []),
    askedAtOnce,
  );
  return found.flat();
}

/** Pairs the agents at these addresses, each by a key of its own, and waits until they are connected. What fails of one leaves the others as they are. */
export async function pairAll(
  addresses: readonly AgentAddress[],
  pairing: Pairing,
): Promise<PairedAddress[]> {
  const watch = watchKeys(pairing);
  const arrivals: Promise<PairedAddress>[] = [];
  await mapConcurrently(
    addresses,
    async (address) => {
      const paired = await pairOne(address, pairing).catch((error: unknown) => failed(address, error));
      // The place is free for the next agent while this one connects.
      arrivals.push(
        'pairingKeyId' in paired
          ? watch(paired.pairingKeyId).then((arrived) => named(pairing, { address, ...arrived }))
          : Promise.resolve(paired),
      );
    },
    pairedAtOnce,
  );
  const outcomes = await Promise.all(arrivals);
  return addresses.flatMap((address) => outcomes.filter((outcome) => outcome.address === address));
}

async function pairOne(
  address: AgentAddress,
  { hub, projectId, names }: Pairing,
): Promise<PairedAddress | { readonly pairingKeyId: Id<'pairingKey'> }> {
  const name = names.find(addressTexts(address));
  const { pairingKeyId, value } = await createKey(hub, {
    projectId,
    ...(name === undefined ? {} : { name }),
  });
  const problem = await offerKey(address, value);
  if (problem === undefined) return { pairingKeyId };
  // One that cannot be revoked ends by itself.
  await hub.invoke('projects_RevokeDevicePairingKey', { pairingKeyId }).catch(() => undefined);
  return { address, state: 'failed', problem };
}

const failed = (address: AgentAddress, error: unknown): PairedAddress => ({
  address,
  state: 'failed',
  problem: plainText(failureOf(error).sentence),
});

const fullTries = 60;

/** Where others have too many keys open, it waits up to a minute for a place. */
async function createKey(
  hub: Hub,
  input: { readonly projectId: Id<'project'>; readonly name?: string },
): Promise<Output<'projects_CreateDevicePairingKey'>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await hub.invoke('projects_CreateDevicePairingKey', input);
    } catch (error) {
      const isFull = error instanceof ActionError && error.message.includes('open pairing keys');
      if (!isFull || attempt === fullTries) throw error;
      await delay(1_000);
    }
  }
}

type Arrival = Pick<PairedAddress, 'state' | 'deviceId'>;

/** Waits for the devices of keys, for all of them with one question at a time. */
function watchKeys({ hub, projectId, connectMs }: Pairing): (keyId: Id<'pairingKey'>) => Promise<Arrival> {
  const devices = new Map<string, Arrival>();
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    await delay(pollMs);
    try {
      const { pairingKeys } = await readList(hub, 'projects_QueryDevicePairingKeys', { projectId });
      for (const key of pairingKeys) devices.set(key.pairingKeyId, arrivalOf(key));
    } catch {
      // The next question may be answered.
    }
    asking = undefined;
  };
  return async (keyId) => {
    const until = performance.now() + connectMs;
    for (;;) {
      await (asking ??= ask());
      const arrival = devices.get(keyId) ?? { state: 'paired' };
      if (arrival.state === 'connected' || performance.now() > until) return arrival;
    }
  };
}

function arrivalOf({ deviceId, isConnected }: ListedKey): Arrival {
  return {
    state: isConnected === true ? 'connected' : 'paired',
    ...(deviceId === undefined ? {} : { deviceId }),
  };
}

/** The name of a device, which the file may give by its fingerprint once it is known. */
async function named({ hub, names }: Pairing, paired: PairedAddress): Promise<PairedAddress> {
  const { deviceId } = paired;
  if (deviceId === undefined) return paired;
  try {
    const device = await hub.invoke('devices_GetDeviceDetails', { deviceId });
    const fingerprints = device.certificates.map(({ fingerprint }) => fingerprint);
    const given = names.find([device.fingerprintId, ...fingerprints]);
    if (given !== undefined) await hub.invoke('devices_SetDeviceName', { deviceId, name: given });
    const name = given ?? device.name;
    return { ...paired, ...(name === undefined ? {} : { name }) };
  } catch (error) {
    return { ...paired, problem: `not named: ${plainText(failureOf(error).sentence)}` };
  }
}
