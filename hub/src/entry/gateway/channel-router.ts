import { channelReasons, type Id } from '@corral/contract';
import { type Channel, ChannelRejection } from '@corral/multiplex';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import type { ConnectionRegistry } from './link.ts';

/** How a channel is opened. */
export interface OpenOptions {
  /** Cancels the opening. */
  readonly signal?: AbortSignal;
  /** Whether it carries proxied pages; the node of the device limits the number of such streams. */
  readonly isForPages?: boolean;
  /** The user whose forward it carries; the node of the device limits the number of streams of each user. */
  readonly userId?: Id<'user'>;
}

/** Another node of the cluster that may hold the connection of a device. */
export interface PeerNode {
  /** The name in the certificate of its process. */
  readonly name: string;
  /** Its host and port for other nodes. */
  readonly address: string;
}

/** The other nodes of the cluster. */
export interface PeerNodes {
  /** The node that a device is connected to; undefined where it is connected to none of the others. */
  find(deviceId: Id<'device'>): Promise<PeerNode | undefined>;
  /** Opens a channel to a device through its node. Rejected as `MultiplexConnection.openChannel`, and with the reason `hubUnreachable`. */
  open(node: PeerNode, deviceId: Id<'device'>, endpoint: string, options: OpenOptions): Promise<Channel>;
}

const { deviceNotConnected, hubUnreachable } = channelReasons;
/** All devices send a ping every five seconds. One that is silent for so many milliseconds may have lost its network, and be back at another node before this one has noticed. */
const quietMs = 7_000;

const reasonsOfMoves: readonly string[] = [deviceNotConnected, hubUnreachable];

/** Opens channels to devices, wherever in the cluster they are connected. */
export class ChannelRouter {
  readonly #registry: ConnectionRegistry;
  readonly #peers: PeerNodes | undefined;
  /** The streams of each user to the devices of this node, from whichever node they were requested. */
  readonly #streams: FairSemaphore;
  readonly #nowMs: () => number;

  constructor(
    registry: ConnectionRegistry,
    nowMs: () => number,
    peers: PeerNodes | undefined,
    streamsOfUsers: FairSemaphore,
  ) {
    this.#nowMs = nowMs;
    this.#streams = streamsOfUsers;
    this.#registry = registry;
    this.#peers = peers;
  }

  /** Opens a channel to a device. Rejected as `MultiplexConnection.openChannel`; with a ChannelRejection also when the device is not connected. */
  async open(deviceId: Id<'device'>, endpoint: string, options: OpenOptions = {}): Promise<Channel> {
    const newer = this.#isQuiet(deviceId) ? await this.#peers?.find(deviceId) : undefined;
    const here = newer === undefined ? this.openHere(deviceId, endpoint, options) : undefined;
    if (here !== undefined) return here;
    const node = newer ?? (await this.#peers?.find(deviceId));
    if (this.#peers === undefined || node === undefined) throw new ChannelRejection(deviceNotConnected);
    try {
      return await this.#peers.open(node, deviceId, endpoint, options);
    } catch (error) {
      if (!mayHaveMoved(error) || options.signal?.aborted === true) throw error;
      return this.#openElsewhere(node, deviceId, endpoint, options, error);
    }
  }

  #isQuiet(deviceId: string): boolean {
    const device = this.#registry.ofDevice(deviceId);
    return device !== undefined && this.#nowMs() - device.lastFrameAtMs > quietMs;
  }

  /** Opens a channel over a connection of this node; undefined when the device has none here. */
  openHere(
    deviceId: string,
    endpoint: string,
    { userId, ...options }: OpenOptions,
  ): Promise<Channel> | undefined {
    const device = this.#registry.ofDevice(deviceId);
    if (device === undefined) return undefined;
    // Others may end at an endpoint that they do not know.
    if (endpoint === 'handler' && !this.#registry.allOfDevice(deviceId).every((link) => link.callsNewerNames))
      return Promise.reject(new ChannelRejection(channelReasons.unknownEndpoint));
    const open = (): Promise<Channel> => device.openChannel(endpoint, options);
    return userId === undefined ? open() : this.#openForUser(userId, open);
  }

  /** Counts a stream from its opening to its end. */
  async #openForUser(userId: Id<'user'>, open: () => Promise<Channel>): Promise<Channel> {
    const keys = { caller: userId };
    await this.#streams.acquire(keys);
    try {
      const channel = await open();
      void channel.closed.finally(() => this.#streams.release(keys));
      return channel;
    } catch (error) {
      this.#streams.release(keys);
      throw error;
    }
  }

  /** The device may have moved between the query and the request, and a node that died keeps its connections until its lease ends. */
  async #openElsewhere(
    before: PeerNode,
    deviceId: Id<'device'>,
    endpoint: string,
    options: OpenOptions,
    error: unknown,
  ): Promise<Channel> {
    const here = this.openHere(deviceId, endpoint, options);
    if (here !== undefined) return here;
    const node = await this.#peers?.find(deviceId);
    if (this.#peers === undefined || node === undefined || node.name === before.name) throw error;
    return this.#peers.open(node, deviceId, endpoint, options);
  }
}

function mayHaveMoved(error: unknown): boolean {
  return error instanceof ChannelRejection && reasonsOfMoves.includes(error.message);
}
