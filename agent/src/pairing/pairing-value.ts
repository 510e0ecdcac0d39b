import { trimmed } from '@corral/client';
import { isLoopbackHost, readPairingKey, writePairingKey } from '@corral/contract';
import { AgentError } from '../AgentError.ts';

/** Which hubs a device may be paired with. */
export interface PairingRules {
  /** The configured hub, the only one then. */
  readonly hubUrl: string | undefined;
  /** Whether plain HTTP to another machine is allowed. */
  readonly isPlainAllowed: boolean;
}

/** A pairing key, and the addresses where its hub may be, in the order in which they are tried. */
export interface PairingTarget {
  readonly pairingKey: string;
  readonly hubUrls: readonly string[];
}

/** Reads `KEY` or `domain[:port],KEY`. Throws an AgentError with one sentence. */
export function readPairingValue(text: string, rules: PairingRules): PairingTarget {
  const parts = trimmed(text).split(',');
  const [first = '', second] = parts;
  const key = readPairingKey(second ?? first);
  if (key === undefined || parts.length > 2)
    throw new AgentError(
      'Give a pairing key, such as 7K2M9Q-X4TB, or the name of the hub and the key, such as hub.example,7K2M9Q-X4TB.',
    );
  const hubUrls = second === undefined ? configured(rules) : named(first.trim(), rules);
  return { pairingKey: writePairingKey(key), hubUrls };
}

function configured({ hubUrl }: PairingRules): string[] {
  if (hubUrl !== undefined) return [hubUrl];
  throw new AgentError(
    'This agent knows no hub: give the name of the hub before the key, such as hub.example,7K2M9Q-X4TB.',
  );
}

function named(domain: string, { hubUrl, isPlainAllowed }: PairingRules): string[] {
  const url = URL.canParse(`https://${domain}`) ? new URL(`https://${domain}`) : undefined;
  if (url === undefined || url.href !== `${url.origin}/` || !/^[\w.:[\]-]+$/.test(domain))
    throw new AgentError('The name of the hub must be a host, such as hub.example or hub.example:8443.');
  if (hubUrl !== undefined) {
    if (new URL(hubUrl).host === url.host) return [hubUrl];
    throw new AgentError('The configuration of this agent names another hub.');
  }
  // The port of https is left out of an origin, so the given text is used for http.
  const plain = new URL(`http://${domain}`).origin;
  return isPlainAllowed || isLoopbackHost(url.hostname) ? [url.origin, plain] : [url.origin];
}
