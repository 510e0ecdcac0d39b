import type { Config } from '../config/config.ts';
import { passkeySite } from '../config/passkey-site.ts';
import type { Origins } from '../calls/handler.ts';

/** The origins of the console and of the devices' pages for a hub that listens on this port. */
export function originsOf({ publicUrl, hostNames, proxy }: Config, listeningPort: number): Origins {
  const { scheme, domain } = proxy;
  const port = proxy.port === 0 ? listeningPort : proxy.port;
  const console = publicUrl.replace(/:0$/, `:${listeningPort}`);
  return {
    console,
    passkeys: passkeySite(console, hostNames),
    proxyDomain: domain,
    proxyOf: (label) =>
      new URL(`${scheme}://${label}.${domain}${port === undefined ? '' : `:${port}`}`).origin,
  };
}
