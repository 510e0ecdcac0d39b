import { isIP } from 'node:net';
import { addressMatcher } from '../config/addresses.ts';

/** Which proxies are trusted, and whether their X-Forwarded-For header is. */
export interface ProxyTrust {
  readonly trustedProxies: readonly string[];
  readonly trustedProxyHeader: boolean;
}

/** Returns the client's address by the TCP peer and the X-Forwarded-For header. */
export type ClientAddress = (
  peer: string | undefined,
  forwardedFor: string | undefined,
) => string | undefined;

/**
 * Creates the function: the peer itself, unless it is a trusted proxy with a trusted header; then the rightmost address that is not a
 * trusted proxy. Addresses further left are written by the client and ignored.
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
