import { ids } from '@corral/contract';
import type { Gateway } from '../entry/gateway/gateway.ts';
import type { HttpServer } from '../entry/http/http-server.ts';
import type { Metrics } from '../entry/http/metrics.ts';
import type { Membership } from '../entry/peers/membership.ts';
import type { PeerNetwork } from '../entry/peers/open-peers.ts';
import { createTerminalDoor, terminalPath, type TerminalDoor } from '../entry/terminal/door.ts';
import { TerminalHost } from '../entry/terminal/TerminalHost.ts';
import type { Log } from '../platform/log/log.ts';
import type { Core } from './core.ts';

interface TerminalParts {
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly core: Pick<Core, 'executor' | 'bus'>;
  readonly metrics: Pick<Metrics, 'addGauge'>;
  readonly http: Pick<HttpServer, 'onUpgrade' | 'identify' | 'paceUpgrades' | 'serveDeviceFiles'>;
  readonly gateway: Pick<Gateway, 'isConnectedHere' | 'openTerminalHere' | 'runOnDevice'>;
  readonly membership: Pick<Membership, 'nodeId'>;
  readonly network: PeerNetwork | undefined;
  readonly now: () => Date;
  /** A monotonic clock in milliseconds. */
  readonly nowMs?: () => number;
}

/** Builds the host and the door of terminals, and connects them, and the door of files, with the HTTP server and the other nodes. */
export function addTerminals(parts: TerminalParts): TerminalDoor {
  const { log, core, metrics, http, gateway, membership, network, now } = parts;
  const { executor, bus } = core;
  const nowMs = parts.nowMs ?? (() => performance.now());
  const host = new TerminalHost({
    executor,
    bus,
    openTerminal: (deviceId, user, signal) => gateway.openTerminalHere(deviceId, user, signal),
    nodeId: () => ids.clusterNode.raw(membership.nodeId()),
    now,
    nowMs,
    log,
  });
  const others = network?.others(executor);
  const door = createTerminalDoor({
    executor,
    host,
    isHere: (deviceId) => gateway.isConnectedHere(deviceId),
    async openAtNode(deviceId, sessionId) {
      const node = await others?.find(deviceId);
      if (others === undefined || node === undefined) return undefined;
      return others.open(node, deviceId, sessionId, { isForTerminal: true });
    },
    identify: (request) => http.identify(request),
    log,
  });
  network?.serveTerminals((deviceId, channel) => door.serve(deviceId, channel));
  http.onUpgrade(terminalPath, http.paceUpgrades(door.handleUpgrade));
  http.serveDeviceFiles(gateway.runOnDevice);
  metrics.addGauge('corral_terminals', () => host.count);
  return door;
}
