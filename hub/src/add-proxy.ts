import { isLoopback } from './config/addresses.ts';
import { mayBeOneSite } from './config/proxy-domain.ts';
import type { Config } from './config.ts';
import type { Core } from './core.ts';
import type { Origins } from './executor/handler.ts';
import type { Gateway } from './gateway/gateway.ts';
import type { HttpServer } from './http/http-server.ts';
import type { Metrics } from './http/metrics.ts';
import type { Log } from './log.ts';
import { createProxy, type Proxy } from './proxy/proxy.ts';

interface ProxyNeeds {
  readonly config: Config;
  readonly log: Log;
  readonly core: Core;
  readonly metrics: Metrics;
  readonly http: HttpServer;
  readonly gateway: Gateway;
  readonly origins: () => Origins;
}

/** Joins the proxy with the door for browsers and the door of devices, and warns of a domain that serves it badly. */
export function addProxy({ config, log, core, metrics, http, gateway, origins }: ProxyNeeds): Proxy {
  const { domain, scheme } = config.proxy;
  const proxy = createProxy({
    executor: core.executor,
    bus: core.bus,
    openChannel: (deviceId, endpoint, options) => gateway.openChannel(deviceId, endpoint, options),
    origins,
    isPlainHttp: scheme === 'http' && !isLoopback(domain),
    nowMs: () => performance.now(),
    log,
  });
  http.serveDeviceHosts(proxy);
  warnOfOneSite(config, log);
  metrics.addGauge(
    'corral_proxied_streams',
    'Streams of browsers to web pages of devices.',
    () => proxy.streamCount,
  );
  return proxy;
}

function warnOfOneSite({ proxy: { domain }, publicUrl }: Config, log: Log): void {
  const { hostname } = new URL(publicUrl);
  if (mayBeOneSite(domain, hostname))
    log.warn(
      { domain, hostname },
      'CORRAL_PROXY_DOMAIN should be another registrable domain than the console',
    );
  if (isLoopback(domain) && !isLoopback(hostname))
    log.warn({ domain }, 'web pages of devices open on this machine alone until CORRAL_PROXY_DOMAIN is set');
}
