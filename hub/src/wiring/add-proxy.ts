import { isLoopback } from '../config/addresses.ts';
import { mayBeOneSite } from '../config/proxy-domain.ts';
import type { Config } from '../config/config.ts';
import type { Core } from './core.ts';
import { consoleDir } from './create-http.ts';
import type { Origins } from '../calls/handler.ts';
import type { Gateway } from '../entry/gateway/gateway.ts';
import { findConsoleFont } from '../entry/http/console-files.ts';
import type { HttpServer } from '../entry/http/http-server.ts';
import type { Metrics } from '../entry/http/metrics.ts';
import type { Log } from '../platform/log/log.ts';
import { createProxy, type Proxy } from '../entry/proxy/proxy.ts';

interface ProxyParts {
  readonly config: Config;
  readonly log: Log;
  readonly core: Core;
  readonly metrics: Metrics;
  readonly http: HttpServer;
  readonly gateway: Gateway;
  readonly origins: () => Origins;
}

/** Builds the proxy, connects it with the HTTP server and the gateway, registers its gauge, and warns about an unsuitable domain. */
export function addProxy({ config, log, core, metrics, http, gateway, origins }: ProxyParts): Proxy {
  const { domain, scheme } = config.proxy;
  const proxy = createProxy({
    executor: core.executor,
    bus: core.bus,
    openChannel: (deviceId, endpoint, options) => gateway.openChannel(deviceId, endpoint, options),
    origins,
    isPlainHttp: scheme === 'http' && !isLoopback(domain),
    nowMs: () => performance.now(),
    fontPath: findConsoleFont(consoleDir),
    log,
  });
  http.serveDeviceHosts(proxy);
  warnAboutDomain(config, log);
  metrics.addGauge('corral_proxied_streams', () => proxy.streamCount);
  return proxy;
}

function warnAboutDomain({ proxy: { domain }, publicUrl }: Config, log: Log): void {
  const { hostname } = new URL(publicUrl);
  if (mayBeOneSite(domain, hostname))
    log.warn(
      { domain, hostname },
      'CORRAL_PROXY_DOMAIN should be another registrable domain than the console',
    );
  if (isLoopback(domain) && !isLoopback(hostname))
    log.warn({ domain }, 'web pages of devices open on this machine alone until CORRAL_PROXY_DOMAIN is set');
}
