import { connectPath } from '@corral/contract';
import type { Membership } from '../entry/peers/membership.ts';
import type { PeerNetwork } from '../entry/peers/open-peers.ts';
import { certificateHeaderTrust } from '../config/certificate-header.ts';
import type { Config } from '../config/config.ts';
import { proxyWarning } from '../config/local-proxy.ts';
import { createGateway, type Gateway } from '../entry/gateway/gateway.ts';
import type { HttpServer } from '../entry/http/http-server.ts';
import type { Metrics } from '../entry/http/metrics.ts';
import type { Log } from '../platform/log/log.ts';
import { connectionLimits, linkLimit } from './connection-limits.ts';
import type { Core } from './core.ts';

interface GatewayParts {
  readonly config: Config;
  readonly log: Log;
  readonly core: Core;
  readonly metrics: Metrics;
  readonly http: HttpServer;
  readonly membership: Membership;
  readonly network: PeerNetwork | undefined;
}

/** Builds the gateway, routes upgrade requests to it, and registers its gauges. */
export function addGateway(parts: GatewayParts): Gateway {
  const { config, log, core, metrics, http, membership, network } = parts;
  const warning = proxyWarning(config);
  if (warning !== undefined) log.warn(warning);
  const gateway = createGateway({
    executor: core.executor,
    bus: core.bus,
    refusedCalls: core.refusedCalls,
    untakenAnswers: core.untakenAnswers,
    log,
    nodeId: () => membership.nodeId(),
    leaselessMs: () => membership.leaselessMs(),
    nowMs: () => performance.now(),
    certificateTrust: certificateHeaderTrust(config),
    addressOf: (request) => http.addressOf(request),
    peers: network?.others(core.executor),
    maxLinks: linkLimit(connectionLimits(config)),
  });
  http.onUpgrade(connectPath, gateway.handleUpgrade);
  metrics.addGauge('corral_connected_devices', () => gateway.counts.devices);
  metrics.addGauge('corral_links', () => gateway.counts.links);
  metrics.addGauge('corral_paced_calls', () => gateway.pacedCalls);
  return gateway;
}
