import { isIP } from 'node:net';
import { isLoopback } from './addresses.ts';
import { ConfigError } from './ConfigError.ts';

/** The host names of devices' web pages. */
export interface ProxySite {
  /** Each port of a device has a host name one label below it. */
  readonly domain: string;
  readonly scheme: 'http' | 'https';
  /** The port that browsers use; undefined: the scheme's default; 0: the port that the hub will listen on. */
  readonly port: number | undefined;
}

interface HubAddress {
  readonly publicUrl: string;
  readonly isTls: boolean;
  readonly port: number;
}

/**
 * Derives the host names of devices' web pages: below `proxy.localhost` on the hub's own port, or below the operator's domain with the
 * scheme of the public URL. Throws a ConfigError if a device's page could set or read the console's cookies.
 */
export function proxySite(setting: string | undefined, { publicUrl, isTls, port }: HubAddress): ProxySite {
  const own = new URL(publicUrl);
  if (setting === undefined) return { domain: 'proxy.localhost', scheme: isTls ? 'https' : 'http', port };
  const [domain = '', ownPort] = setting.split(':');
  mustHaveSeparateDomain(domain, own.hostname);
  const fallbackPort = own.port === '' ? undefined : Number(own.port);
  return {
    domain,
    scheme: own.protocol === 'https:' ? 'https' : 'http',
    port: ownPort === undefined ? fallbackPort : Number(ownPort),
  };
}

/** A page can set cookies for every parent domain of its own, and is same-site with all hosts of its registrable domain. */
function mustHaveSeparateDomain(domain: string, consoleHost: string): void {
  const isWithin = (inner: string, outer: string): boolean =>
    inner === outer || (inner.endsWith(`.${outer}`) && !isLoopback(outer) && isIP(outer) === 0);
  if (isWithin(domain, consoleHost) || isWithin(consoleHost, domain))
    throw new ConfigError(
      `CORRAL_PROXY_DOMAIN ${domain} must be separate from the console's host name ${consoleHost}: use another domain, such as devices.example beside hub.example.com.`,
    );
}

/** Whether both end in the same two labels, so that browsers may treat them as one site; the hub logs a warning then. */
export function mayBeOneSite(domain: string, consoleHost: string): boolean {
  const lastTwo = (name: string): string => name.split('.').slice(-2).join('.');
  return !isLoopback(consoleHost) && isIP(consoleHost) === 0 && lastTwo(domain) === lastTwo(consoleHost);
}
