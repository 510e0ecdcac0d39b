import { isIP } from 'node:net';
import { addressMatcher } from '../config/addresses.ts';

/** Which proxies stand in front of the hub, and whether their X-Forwarded-For is believed. */
export interface ProxyTrust {
  readonly trustedProxies: readonly string[];
  readonly trustedProxyHeader: boolean;
}

/** Answers the client's address for a TCP peer and the X-Forwarded-For header that came with the request. */
export type ClientAddress = (
  peer: string | undefined,
  forwardedFor: string | undefined,
) => string | undefined;

/**
 * Builds the rule: the peer itself, unless it is a trusted proxy and the header is believed; then the first address from the
 * right that is no trusted proxy. What stands further left was written by the client and counts for nothing.
 */
export function clientAddress({ trustedProxies, trustedProxyHeader }: ProxyTrust): ClientAddress {
  const isTrusted = addressMatcher(trustedProxies);
  if (!trustedProxyHeader || trustedProxies.length === 0) return (peer) => plain(peer);
  return (peer, forwardedFor) => {
    let address = plain(peer);
    const hops = forwardedFor?.split(',') ?? [];
    while (isTrusted(address)) {
      const hop = plain(hops.pop()?.trim());
      if (hop === undefined || isIP(hop) === 0) break;
      address = copyOf(hop);
    }
    return address;
  };
}

function plain(address: string | undefined): string | undefined {
  return address?.startsWith('::ffff:') === true && address.includes('.') ? address.slice(7) : address;
}

/** A slice of the header would keep all of it in memory for as long as the address is kept. */
function copyOf(slice: string): string {
  return Buffer.from(slice).toString();
}
