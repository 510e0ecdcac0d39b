import { addressMatcher, isLoopback } from './addresses.ts';

interface HeaderSettings {
  readonly deviceCertificateHeader: 'auto' | 'on' | 'off';
  readonly trustedProxies: readonly string[];
  readonly host: string;
  readonly publicUrl: string;
  readonly tls: object | undefined;
}

/**
 * Where the hub takes a device's certificate from: `only` from the header `X-Client-Cert`, since the certificate of a trusted proxy's
 * handshake is its own; `also` from header or handshake; `never` from the header.
 */
export type CertificateHeaderTrust = (address: string | undefined) => 'only' | 'also' | 'never';

/**
 * Decides from which addresses the header `X-Client-Cert` is trusted: from trusted proxies; if there are none, from all addresses if the
 * hub serves plain HTTP on loopback and is known by a name of loopback (`auto`) or if the setting is `on`; from none if it is `off`.
 */
export function certificateHeaderTrust(settings: HeaderSettings): CertificateHeaderTrust {
  const { deviceCertificateHeader, trustedProxies, host, publicUrl, tls } = settings;
  if (deviceCertificateHeader === 'off') return () => 'never';
  if (trustedProxies.length > 0) {
    const isTrusted = addressMatcher(trustedProxies);
    return (address) => (isTrusted(address) ? 'only' : 'never');
  }
  const isOnLoopback = isLoopback(host) && isLoopback(new URL(publicUrl).hostname);
  const isHeaderTrusted = deviceCertificateHeader === 'on' || (tls === undefined && isOnLoopback);
  return () => (isHeaderTrusted ? 'also' : 'never');
}
