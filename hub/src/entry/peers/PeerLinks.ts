import {
  ChannelRejection,
  ConnectionClosure,
  type Channel,
  type MultiplexConnection,
} from '@corral/multiplex';
import { channelReasons, resumableForwards, type Id } from '@corral/contract';
import type { NodeCertificate } from './node-certificate.ts';
import {
  peerProtocols,
  protocolsWithoutResumable,
  protocolsWithoutTerminals,
  startPeerConnection,
} from './peer-connection.ts';
import { peerEndpoint, type ChannelPurpose } from './peer-requests.ts';
import { connectToPeer, speaksNoSharedVersion } from './peer-socket.ts';
import type { PeerNode } from './peer-node.ts';

interface PeerLink {
  readonly connection: MultiplexConnection;
  /** The version that both nodes speak. */
  readonly protocol: string;
}

/** How a channel is opened through another node: `signal` cancels the opening. */
export interface PeerOpenOptions extends ChannelPurpose {
  readonly signal?: AbortSignal;
}

interface LinkOptions {
  /** The versions of the protocol that it offers. */
  readonly protocols?: readonly string[];
  /** Called when another node cannot be reached. */
  readonly onUnreachable?: (node: PeerNode, error: unknown) => void;
}

/** The connections of this node to others: one a node, opened when it is first needed. */
export class PeerLinks {
  readonly #certificate: NodeCertificate;
  readonly #protocols: readonly string[];
  readonly #onUnreachable: LinkOptions['onUnreachable'];
  /** By the name of the process: as many as there are nodes. */
  readonly #links = new Map<string, Promise<PeerLink>>();
  #isStopped = false;

  constructor(certificate: NodeCertificate, { protocols = peerProtocols, onUnreachable }: LinkOptions = {}) {
    this.#certificate = certificate;
    this.#protocols = protocols;
    this.#onUnreachable = onUnreachable;
  }

  /** Opens a channel to a device through its node. Rejected as `MultiplexConnection.openChannel`; with a ChannelRejection also when the node cannot be reached. */
  async open(
    node: PeerNode,
    deviceId: Id<'device'>,
    endpoint: string,
    { signal, ...purpose }: PeerOpenOptions,
  ): Promise<Channel> {
    const { connection, protocol } = await this.#linkTo(node);
    signal?.throwIfAborted();
    const isUnknown =
      purpose.isForTerminal === true
        ? protocolsWithoutTerminals.includes(protocol)
        : resumableForwards.isEndpoint(endpoint) && protocolsWithoutResumable.includes(protocol);
    if (isUnknown) throw new ChannelRejection(channelReasons.hubOfAnotherRelease);
    const options = signal === undefined ? {} : { signal };
    try {
      return await connection.openChannel(peerEndpoint(deviceId, endpoint, purpose), options);
    } catch (error) {
      throw error instanceof ConnectionClosure ? new ChannelRejection(channelReasons.hubUnreachable) : error;
    }
  }

  /** Ends all connections and opens no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const links = await Promise.allSettled(this.#links.values());
    for (const link of links)
      if (link.status === 'fulfilled') link.value.connection.close('the hub is stopping');
  }

  #linkTo(node: PeerNode): Promise<PeerLink> {
    if (this.#isStopped) throw new ChannelRejection(channelReasons.hubUnreachable);
    const known = this.#links.get(node.name);
    if (known !== undefined) return known;
    const connecting = this.#connect(node, () => this.#forget(node, connecting)).catch((error: unknown) => {
      this.#forget(node, connecting);
      this.#onUnreachable?.(node, error);
      throw new ChannelRejection(
        speaksNoSharedVersion(error) ? channelReasons.hubOfAnotherRelease : channelReasons.hubUnreachable,
      );
    });
    this.#links.set(node.name, connecting);
    return connecting;
  }

  #forget({ name }: PeerNode, link: Promise<PeerLink>): void {
    if (this.#links.get(name) === link) this.#links.delete(name);
  }

  async #connect(node: PeerNode, onClosed: () => void): Promise<PeerLink> {
    const socket = await connectToPeer(node, this.#certificate, this.#protocols);
    const protocol = socket.alpnProtocol || '';
    return { connection: startPeerConnection(socket, 'client', { onClosed }), protocol };
  }
}
