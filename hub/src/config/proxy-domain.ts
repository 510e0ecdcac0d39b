import { isIP } from 'node:net';
import { isLoopback } from './addresses.ts';
import { ConfigError } from './ConfigError.ts';

/** Where the web pages of devices are found. */
export interface ProxySite {
  /** Each port of a device has a host name one label below it. */
  readonly domain: string;
  readonly scheme: 'http' | 'https';
  /** The port that browsers use; undefined for the one of the scheme, 0 for the one that the hub listens on, known later. */
  readonly port: number | undefined;
}

interface Around {
  readonly publicUrl: string;
  readonly isTls: boolean;
  readonly port: number;
}

/**
 * Settles where the web pages of devices are: on the hub's own port below `proxy.localhost`, or, where the operator names a domain,
 * there with the scheme of the public URL. Throws a ConfigError where a device's page could reach the console's cookies.
 */
export function proxySite(setting: string | undefined, { publicUrl, isTls, port }: Around): ProxySite {
  const own = new URL(publicUrl);
  if (setting === undefined) return { domain: 'proxy.localhost', scheme: isTls ? 'https' : 'http', port };
  const [domain = '', ownPort] = setting.split(':');
  mustStandApart(domain, own.hostname);
  const fallbackPort = own.port === '' ? undefined : Number(own.port);
  return {
    domain,
    scheme: own.protocol === 'https:' ? 'https' : 'http',
    port: ownPort === undefined ? fallbackPort : Number(ownPort),
  };
}

/** A page of a device can set cookies for every domain above its own, and is the same site as what shares its registrable domain. */
function mustStandApart(domain: string, consoleHost: string): void {
  const isWithin = (inner: string, outer: string): boolean =>
    inner === outer || (inner.endsWith(`.${outer}`) && !isLoopback(outer) && isIP(outer) === 0);
  if (isWithin(domain, consoleHost) || isWithin(consoleHost, domain))
    throw new ConfigError(
      `CORRAL_PROXY_DOMAIN ${domain} must stand apart from the console's own name ${consoleHost}: take another domain, such as devices.example beside hub.example.com.`,
    );
}

/** Tells whether the two share all but their first labels, so that browsers may take them for one site; worth a warning. */
export function mayBeOneSite(domain: string, consoleHost: string): boolean {
  const lastTwo = (name: string): string => name.split('.').slice(-2).join('.');
  return !isLoopback(consoleHost) && isIP(consoleHost) === 0 && lastTwo(domain) === lastTwo(consoleHost);
}
