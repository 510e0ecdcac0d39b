import { isLoopback } from './addresses.ts';
import { ConfigError } from './ConfigError.ts';

interface Addresses {
  readonly host: string;
  readonly publicUrl: string;
  readonly tls: object | undefined;
}

interface ProxySettings extends Addresses {
  readonly trustedProxies: readonly string[];
  readonly trustedProxyHeader: boolean;
}

/** Whether others reach the hub through a program on the same machine: it listens on loopback, and its public URL is elsewhere. */
export function isBehindLocalProxy({ host, publicUrl, tls }: Addresses): boolean {
  return tls === undefined && isLoopback(host) && !isLoopback(new URL(publicUrl).hostname);
}

/** Whether another program has the certificate of the hub's public URL, as in front of a container that listens on all addresses. */
function endsTlsElsewhere({ publicUrl, tls }: Addresses): boolean {
  return tls === undefined && new URL(publicUrl).protocol === 'https:';
}

/** Throws a `ConfigError` where a proxy on the same machine could forward X-Client-Cert headers of clients, until a setting states whether it does. */
export function mustHaveCertificateSource(
  addresses: Addresses,
  settings: { readonly deviceCertificateHeader?: unknown; readonly trustedProxies?: unknown },
): void {
  if (!isBehindLocalProxy(addresses)) return;
  if ((settings.deviceCertificateHeader ?? 'auto') !== 'auto' || settings.trustedProxies !== undefined)
    return;
  throw new ConfigError(
    `CORRAL_DEVICE_CERTIFICATE_HEADER: a proxy on this machine serves ${addresses.publicUrl}, and the hub cannot know whether it checks X-Client-Cert. Set CORRAL_TRUSTED_PROXIES to its address if it overwrites this header with the certificate of the device, else CORRAL_DEVICE_CERTIFICATE_HEADER=off.`,
  );
}

/** What an operator should know about a proxy in front of the hub whose clients cannot be told apart; undefined if they can. */
export function proxyWarning(config: ProxySettings): string | undefined {
  const { trustedProxies, trustedProxyHeader } = config;
  if (trustedProxies.length === 0)
    return isBehindLocalProxy(config) || endsTlsElsewhere(config)
      ? 'CORRAL_TRUSTED_PROXIES is not set: limits per address count all clients of the proxy as one'
      : undefined;
  return trustedProxyHeader
    ? undefined
    : 'CORRAL_TRUSTED_PROXY_HEADER is not set: limits per address count all clients of the proxy as one, and requests without a session are not limited';
}
