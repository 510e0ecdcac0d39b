import type { Config } from '../config/config.ts';
import type { Origins } from '../calls/handler.ts';

/** The origins of the console and of the devices' pages for a hub that listens on this port. */
export function originsOf({ publicUrl, proxy }: Config, listeningPort: number): Origins {
  const { scheme, domain } = proxy;
  const port = proxy.port === 0 ? listeningPort : proxy.port;
  return {
    console: publicUrl.replace(/:0$/, `:${listeningPort}`),
    proxyDomain: domain,
    proxyOf: (label) =>
      new URL(`${scheme}://${label}.${domain}${port === undefined ? '' : `:${port}`}`).origin,
  };
}
