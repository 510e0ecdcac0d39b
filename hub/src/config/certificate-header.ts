import { addressMatcher, isLoopback } from './addresses.ts';

interface HeaderSettings {
  readonly deviceCertificateHeader: 'auto' | 'on' | 'off';
  readonly trustedProxies: readonly string[];
  readonly host: string;
  readonly tls: object | undefined;
}

/**
 * Says from which addresses the header `X-Client-Cert` is believed: from trusted proxies; without any, from everywhere in plain-HTTP
 * development on loopback (`auto`) or where the operator insists (`on`); nowhere when it is `off`.
 */
export function certificateHeaderTrust(settings: HeaderSettings): (address: string | undefined) => boolean {
  const { deviceCertificateHeader, trustedProxies, host, tls } = settings;
  if (deviceCertificateHeader === 'off') return () => false;
  if (trustedProxies.length > 0) return addressMatcher(trustedProxies);
  const isBelieved = deviceCertificateHeader === 'on' || (tls === undefined && isLoopback(host));
  return () => isBelieved;
}
