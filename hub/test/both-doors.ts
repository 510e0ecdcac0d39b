import { connectPath, createGateway } from '../src/gateway/gateway.ts';
import type { ProxyLimits } from '../src/proxy/limits.ts';
import { createProxy } from '../src/proxy/proxy.ts';
import { connectLink, isOpen, type OpenLink } from './device-client.ts';
import { httpHub, system, type HttpHub, type HttpHubOptions } from './http-hub.ts';

/** A hub that is reached as from outside: over HTTP, and over WebSockets by devices and command lines. */
export interface BothDoors extends AsyncDisposable {
  readonly hub: HttpHub;
  /** Connects and must be let in. */
  connect(headers: Record<string, string>): Promise<OpenLink>;
  /** Connects and must be refused; answers status and body. */
  refused(headers: Record<string, string>): Promise<{ status: number; text: string }>;
}

/** Starts both doors on one free port of loopback, believing the certificate header. */
export async function bothDoors(
  proxyLimits: Partial<ProxyLimits> = {},
  options: HttpHubOptions = {},
): Promise<BothDoors> {
  const hub = await httpHub(options);
  const { nodeId } = await hub.executor.invoke(system, 'cluster_RegisterClusterNode', { name: 'test' });
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
  return {
    hub,
    async connect(headers) {
      const answer = await connectLink(hub.url, headers);
      if (isOpen(answer)) return answer;
      throw new Error(answer.body.message);
    },
    async refused(headers) {
      const answer = await connectLink(hub.url, headers);
      if (isOpen(answer)) throw new Error('the connection was let in');
      return { status: answer.status, text: JSON.stringify(answer.body) };
    },
    async [Symbol.asyncDispose]() {
      proxy.stop();
      await gateway.stop();
      await hub[Symbol.asyncDispose]();
    },
  };
}
