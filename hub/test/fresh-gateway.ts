import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { Id } from '@corral/contract';
import type { PeerNetwork } from '../src/entry/peers/open-peers.ts';
import type { CertificateHeaderTrust } from '../src/config/certificate-header.ts';
import { createInProcessBus, type EventBus } from '../src/platform/events/bus.ts';
import { createGateway, type Gateway } from '../src/entry/gateway/gateway.ts';
import { RegisterClusterNode } from '../src/domains/instance/internal/RegisterClusterNode.ts';
import type { AllRefusedCalls } from '../src/limits/bucket.ts';
import { freshExecutor, type FreshExecutor } from './fresh-executor.ts';

/** A real gateway on a real server, over a real executor. */
export interface FreshGateway extends AsyncDisposable {
  readonly hub: FreshExecutor;
  readonly bus: EventBus;
  readonly gateway: Gateway;
  readonly server: Server;
  readonly url: string;
  readonly nodeId: Id<'clusterNode'>;
  /** Continues under another node id, as a hub does after it lost its lease. */
  moveToNode(nodeId: Id<'clusterNode'>): void;
  /** Tells the gateway for how long the node has had no lease. */
  loseLease(forMs: number): void;
  /** The messages in the log of the gateway. */
  readonly logged: readonly string[];
  /** Advances the clock of the connections. */
  advance(durationMs: number): void;
}

/** Options of the gateway under test. */
export interface FreshGatewayOptions {
  readonly certificateTrust?: CertificateHeaderTrust;
  /** Makes a listener of another kind, such as one that terminates TLS. */
  readonly createServer?: () => Server;
  /** A clock that the test moves, in milliseconds. */
  readonly nowMs?: () => number;
  /** The refused calls; by default of its own. */
  readonly refusedCalls?: AllRefusedCalls;
  /** How long a forward waits for a port of a device. */
  readonly forwardTimeoutMs?: number;
  /** Streams of forwards that a user may have. */
  readonly maxStreamsPerUser?: number;
  /** How many connections there may be. */
  readonly maxLinks?: number;
  /** Another gateway, on whose database and bus this one is a second node. */
  readonly besides?: Pick<FreshGateway, 'hub' | 'bus'>;
  /** How it and the other nodes reach each other. */
  readonly network?: PeerNetwork;
}

const stepMs = 5;

/** A clock that barely advances while this process gets no CPU time, so that timeouts of both peers hold on a busy machine. */
function steadyClock() {
  let nowMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const realMs = performance.now();
    nowMs += Math.min(realMs - lastMs, 2 * stepMs);
    lastMs = realMs;
  }, stepMs);
  return {
    nowMs: () => nowMs,
    advance: (durationMs: number) => void (nowMs += durationMs),
    stop: () => clearInterval(timer),
  };
}

/** Starts a gateway on a free port of loopback. By default it trusts the certificate header. */
export async function freshGateway(options: FreshGatewayOptions = {}): Promise<FreshGateway> {
  const bus = options.besides?.bus ?? createInProcessBus((error) => console.error(error));
  const hub =
    options.besides?.hub ??
    (await freshExecutor({
      afterCommit: (committed) => void bus.publish(committed.map(({ event }) => event)),
    }));
  const { network } = options;
  let { nodeId } = await hub.run(RegisterClusterNode, {
    name: 'test',
    ...(network === undefined ? {} : { peer: network.self }),
  });
  const clock = steadyClock();
  let leaselessMs = 0;
  const logged: string[] = [];
  const note = (_fields: object, message: string): void => void logged.push(message);
  const gateway = createGateway({
    executor: hub.executor,
    bus,
    nodeId: () => nodeId,
    leaselessMs: () => leaselessMs,
    nowMs: options.nowMs ?? clock.nowMs,
    certificateTrust: options.certificateTrust ?? (() => 'also'),
    addressOf: (request) => request.socket.remoteAddress,
    forwardTimeoutMs: options.forwardTimeoutMs,
    commandsTimeoutMs: 1_000,
    maxStreamsPerUser: options.maxStreamsPerUser,
    ...(options.refusedCalls === undefined ? {} : { refusedCalls: options.refusedCalls }),
    ...(options.maxLinks === undefined ? {} : { maxLinks: options.maxLinks }),
    peers: network?.others(hub.executor),
    log: { debug() {}, info: note, warn: note, error: console.error },
  });
  network?.serve(gateway.openChannelHere);
  const server = (options.createServer ?? createServer)();
  server.on('upgrade', (request, socket, head) => gateway.handleUpgrade(request, socket as Socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return {
    hub,
    bus,
    gateway,
    server,
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get nodeId() {
      return nodeId;
    },
    logged,
    moveToNode: (id) => void (nodeId = id),
    loseLease: (forMs) => void (leaselessMs = forMs),
    advance: clock.advance,
    async [Symbol.asyncDispose]() {
      await gateway.stop();
      clock.stop();
      await new Promise((resolve) => server.close(resolve));
      await network?.stop();
      if (options.besides === undefined) await hub[Symbol.asyncDispose]();
    },
  };
}
