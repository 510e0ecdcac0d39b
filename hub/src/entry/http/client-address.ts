import { addressMatcher, canonicalAddress, forwardedAddress } from '../../config/addresses.ts';

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
 * trusted proxy. Addresses further left are written by the client and ignored. `onUnreadable` gets a text of a trusted proxy that is no address.
 */
export function clientAddress(
  { trustedProxies, trustedProxyHeader }: ProxyTrust,
  onUnreadable: (text: string) => void = () => undefined,
): ClientAddress {
  const isTrusted = addressMatcher(trustedProxies);
  const plain = (peer: string | undefined) => canonicalAddress(peer) ?? peer;
  if (!trustedProxyHeader || trustedProxies.length === 0) return plain;
  return (peer, forwardedFor) => {
    let address = plain(peer);
    const hops = forwardedFor?.split(',').filter((hop) => hop.trim() !== '') ?? [];
    while (isTrusted(address)) {
      const hop = hops.pop();
      if (hop === undefined) break;
      const named = forwardedAddress(hop);
      if (named === undefined) {
        onUnreadable(hop.trim());
        break;
      }
      address = copyOf(named);
    }
    return address;
  };
}

/** A slice of the header would keep all of it in memory for as long as the address is kept. */
function copyOf(slice: string): string {
  return Buffer.from(slice).toString();
}
