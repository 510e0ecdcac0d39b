import { addressMatcher, isLoopback } from './addresses.ts';

interface HeaderSettings {
  readonly deviceCertificateHeader: 'auto' | 'on' | 'off';
  readonly trustedProxies: readonly string[];
  readonly host: string;
  readonly tls: object | undefined;
}

/**
 * How a device behind an address shows its certificate: `only` by the header `X-Client-Cert`, since what a trusted proxy shows in its own
 * handshake is the proxy's; by the header or `also` by the handshake; or by the handshake, and the header is `never` believed.
 */
export type CertificateHeaderTrust = (address: string | undefined) => 'only' | 'also' | 'never';

/**
 * Says from which addresses the header `X-Client-Cert` is believed: from trusted proxies; without any, from everywhere in plain-HTTP
 * development on loopback (`auto`) or where the operator insists (`on`); nowhere when it is `off`.
 */
export function certificateHeaderTrust(settings: HeaderSettings): CertificateHeaderTrust {
  const { deviceCertificateHeader, trustedProxies, host, tls } = settings;
  if (deviceCertificateHeader === 'off') return () => 'never';
  if (trustedProxies.length > 0) {
    const isTrusted = addressMatcher(trustedProxies);
    return (address) => (isTrusted(address) ? 'only' : 'never');
  }
  const isBelieved = deviceCertificateHeader === 'on' || (tls === undefined && isLoopback(host));
  return () => (isBelieved ? 'also' : 'never');
}
