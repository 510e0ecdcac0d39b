import { isIPv6 } from 'node:net';
import { ActionError, channelReasons, type Id } from '@corral/contract';
import { ChannelRejection, type Channel } from '@corral/multiplex';
import type { Executor } from '../../executor/executor.ts';
import { systemCaller } from '../../executor/system-caller.ts';
import { SampledLog } from '../../log/sampled-log.ts';
import { listenForPeers } from './listen-for-peers.ts';
import { issueNodeCertificate } from './node-certificate.ts';
import { PeerLinks, type PeerOpenOptions } from './PeerLinks.ts';
import type { OpenHere } from './peer-requests.ts';

/** Where other nodes reach this one: the name in its certificate, and its host and port. */
export interface PeerAddress {
  readonly name: string;
  readonly address: string;
}

/** The other nodes, as this one uses them. */
export interface OtherNodes {
  /** The node that a device is connected to; undefined where it is connected to none of the others. Rejected with a ChannelRejection while this node may not serve. */
  find(deviceId: Id<'device'>): Promise<PeerAddress | undefined>;
  /** See `PeerLinks.open`. */
  open(
    node: PeerAddress,
    deviceId: Id<'device'>,
    endpoint: string,
    options: PeerOpenOptions,
  ): Promise<Channel>;
}

/** This node among the others. */
export interface PeerNetwork {
  /** What the record of this node says. */
  readonly self: PeerAddress;
  /** The other nodes, found by the executor. */
  others(executor: Executor): OtherNodes;
  /** Opens the channels that other nodes request from now on. Until then no device is connected here. */
  serve(openHere: OpenHere): void;
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
  readonly log: Record<'info' | 'warn', (fields: object, message: string) => void>;
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
  const listener = await listenForPeers({
    certificate,
    host,
    port,
    openHere: (...request) => openHere(...request),
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
): Promise<PeerAddress | undefined> {
  try {
    const { node } = await executor.invoke(systemCaller, 'devices_FindDeviceNode', { deviceId });
    return node === undefined || node.name === ownName ? undefined : node;
  } catch (error) {
    throw error instanceof ActionError ? new ChannelRejection(channelReasons.hubNotReady) : error;
  }
}
