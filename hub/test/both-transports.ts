import { connectPath } from '@corral/contract';
import { createGateway } from '../src/entry/gateway/gateway.ts';
import type { PeerNetwork } from '../src/entry/peers/open-peers.ts';
import type { TerminalDoor } from '../src/entry/terminal/door.ts';
import { addTerminals } from '../src/wiring/add-terminals.ts';
import type { ProxyLimits } from '../src/entry/proxy/limits.ts';
import { createProxy } from '../src/entry/proxy/proxy.ts';
import { connectLink, isOpen, type OpenLink } from './device-client.ts';
import { httpHub, system, type HttpHub, type HttpHubOptions } from './http-hub.ts';
import { RegisterClusterNode } from '../src/domains/instance/internal/RegisterClusterNode.ts';

/** A running hub that tests call over HTTP, and over WebSockets as devices and command lines. */
export interface BothTransports extends AsyncDisposable {
  readonly hub: HttpHub;
  readonly terminals: TerminalDoor;
  /** Connects; throws when the hub refuses. */
  connect(headers: Record<string, string>): Promise<OpenLink>;
  /** Connects and returns the status and body of the refusal; throws when the hub accepts. */
  refused(headers: Record<string, string>): Promise<{ status: number; text: string }>;
}

interface ClusterOptions {
  /** How it and other nodes reach each other. */
  readonly network?: PeerNetwork;
  /** The monotonic clock of terminals. */
  readonly nowMs?: () => number;
}

/** Starts HTTP and WebSockets on one free port of loopback. The hub trusts the certificate header. */
export async function bothTransports(
  proxyLimits: Partial<ProxyLimits> = {},
  options: HttpHubOptions = {},
  cluster: ClusterOptions = {},
): Promise<BothTransports> {
  const hub = await httpHub(options);
  const { nodeId } = await hub.executor.run(system, RegisterClusterNode, {
    name: 'test',
    ...(cluster.network === undefined ? {} : { peer: cluster.network.self }),
  });
  // The node sends no heartbeats, so its lease has to outlast the test on a slow machine.
  await hub.database.db
    .updateTable('cluster_nodes')
    .set({ lease_until: new Date('2100-01-01') })
    .execute();
  const gateway = createGateway({
    executor: hub.executor,
    bus: hub.bus,
    log: hub.log,
    nodeId: () => nodeId,
    nowMs: () => performance.now(),
    certificateTrust: () => 'also',
    addressOf: (request) => hub.http.addressOf(request),
    peers: cluster.network?.others(hub.executor),
  });
  hub.http.onUpgrade(connectPath, gateway.handleUpgrade);
  const proxy = createProxy({
    executor: hub.executor,
    bus: hub.bus,
    openChannel: (deviceId, endpoint, options) => gateway.openChannel(deviceId, endpoint, options),
    origins: hub.origins,
    isPlainHttp: false,
    limits: proxyLimits,
    nowMs: () => performance.now(),
    log: hub.log,
  });
  hub.http.serveDeviceHosts(proxy);
  cluster.network?.serve(gateway.openChannelHere);
  const { nowMs } = cluster;
  const terminals = addTerminals({
    log: hub.log,
    core: hub,
    metrics: { addGauge() {} },
    http: hub.http,
    gateway,
    membership: { nodeId: () => nodeId },
    network: cluster.network,
    now: () => new Date(),
    ...(nowMs === undefined ? {} : { nowMs }),
  });
  return {
    hub,
    terminals,
    async connect(headers) {
      const answer = await connectLink(hub.url, headers);
      if (isOpen(answer)) return answer;
      throw new Error(answer.body.message);
    },
    async refused(headers) {
      const answer = await connectLink(hub.url, headers);
      if (isOpen(answer)) throw new Error('the connection was admitted');
      return { status: answer.status, text: JSON.stringify(answer.body) };
    },
    async [Symbol.asyncDispose]() {
      await terminals.stop();
      proxy.stop();
      await gateway.stop();
      await cluster.network?.stop();
      await hub[Symbol.asyncDispose]();
    },
  };
}
