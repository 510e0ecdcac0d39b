import { isIPv6 } from 'node:net';
import { ActionError, channelReasons, type Id } from '@corral/contract';
import { type Channel, ChannelRejection } from '@corral/multiplex';
import type { Executor } from '../../calls/executor.ts';
import { systemCaller } from '../../calls/handler.ts';
import type { LogFields } from '../../platform/log/log-fields.ts';
import { SampledLog } from '../../platform/log/sampled-log.ts';
import { PeerLinks, type PeerOpenOptions } from './PeerLinks.ts';
import { listenForPeers } from './listen-for-peers.ts';
import { issueNodeCertificate } from './node-certificate.ts';
import type { PeerNode } from './peer-node.ts';
import type { OpenHere, ServeTerminal } from './peer-requests.ts';
import { FindDeviceNode } from '../../domains/devices/internal/FindDeviceNode.ts';

/** The other nodes of the cluster. */
export interface PeerNodes {
  /** The node that a device is connected to; undefined where it is connected to none of the others. Rejected with a ChannelRejection while this node may not serve. */
  find(deviceId: Id<'device'>): Promise<PeerNode | undefined>;
  /** See `PeerLinks.open`. */
  open(node: PeerNode, deviceId: Id<'device'>, endpoint: string, options: PeerOpenOptions): Promise<Channel>;
}

/** The connections between this node and the others. */
export interface PeerNetwork {
  /** How the other nodes reach this one. */
  readonly self: PeerNode;
  /** The other nodes, which are looked up through the executor. */
  others(executor: Executor): PeerNodes;
  /** Opens the channels that other nodes request from now on. Until then no device is connected here. */
  serve(openHere: OpenHere): void;
  /** Serves the clients of other nodes in terminals from now on. */
  serveTerminals(serve: ServeTerminal): void;
  /** How often another node could not be reached since the start. */
  failures(): number;
  stop(): Promise<void>;
}

interface NetworkParts {
  /** The 32 bytes from which every node derives the authority of the cluster. */
  readonly authoritySeed: Buffer;
  /** Where to listen, and where others reach it. */
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly log: Record<'info' | 'warn', (fields: LogFields, message: string) => void>;
}

/** Issues the certificate of this process and listens for the other nodes. */
export async function openPeerNetwork({
  authoritySeed,
  host,
  port,
  log,
}: NetworkParts): Promise<PeerNetwork> {
  const certificate = await issueNodeCertificate(authoritySeed);
  let openHere: OpenHere = () => undefined;
  let serveTerminal: ServeTerminal = async (_deviceId, channel) => channel.abort('the hub is not ready');
  const listener = await listenForPeers({
    certificate,
    host,
    port,
    openHere: (...request) => openHere(...request),
    serveTerminal: (...client) => serveTerminal(...client),
    log,
  });
  const sampled = new SampledLog(() => performance.now());
  let failures = 0;
  const links = new PeerLinks(certificate, {
    onUnreachable({ name, address }, error) {
      failures += 1;
      const fields = { node: name, address, err: error };
      sampled.write('unreachable', log.warn.bind(log), fields, 'another hub cannot be reached');
    },
  });
  return {
    self: { name: certificate.name, address: `${isIPv6(host) ? `[${host}]` : host}:${listener.port}` },
    others: (executor) => ({
      find: (deviceId) => findNode(executor, deviceId, certificate.name),
      open: (node, deviceId, endpoint, options) => links.open(node, deviceId, endpoint, options),
    }),
    serve: (open) => void (openHere = open),
    serveTerminals: (serve) => void (serveTerminal = serve),
    failures: () => failures,
    async stop() {
      await Promise.all([links.stop(), listener.stop()]);
    },
  };
}

async function findNode(
  executor: Executor,
  deviceId: Id<'device'>,
  ownName: string,
): Promise<PeerNode | undefined> {
  try {
    const { node } = await executor.run(systemCaller, FindDeviceNode, { deviceId });
    return node === undefined || node.name === ownName ? undefined : node;
  } catch (error) {
    throw error instanceof ActionError ? new ChannelRejection(channelReasons.hubNotReady) : error;
  }
}
