import { ChannelCore } from './channel-core.ts';
import { startBytes } from './credit.ts';
import { ProtocolViolation } from './errors.ts';

/** The channels of one connection by local id, and the undecided requests of the peer. */
export class ChannelTable {
  readonly #maxChannels: number;
  // Created with the first channel: most of thousands of idle connections have one or none.
  #cores: Map<number, ChannelCore> | undefined;
  #requestedIds: Set<number> | undefined;
  #lastLocalId = 0;
  /** Sum of all receive windows, in bytes. */
  windowBytes = 0;

  constructor(maxChannels: number) {
    this.#maxChannels = maxChannels;
  }

  /** Channels and undecided requests. */
  get count(): number {
    return (this.#cores?.size ?? 0) + (this.#requestedIds?.size ?? 0);
  }

  /** Whether the connection takes no further channel. */
  get isFull(): boolean {
    return this.count >= this.#maxChannels;
  }

  /** Channels, requested or open. */
  get openCount(): number {
    return this.#cores?.size ?? 0;
  }

  /** Bytes reserved for the initial windows of channels that can still be opened. */
  get reservedBytes(): number {
    return (this.#maxChannels - this.openCount) * startBytes;
  }

  /** Every channel, requested or open. */
  cores(): Iterable<ChannelCore> {
    return this.#cores?.values() ?? [];
  }

  /** Adds a channel with a new local id. */
  add(): ChannelCore {
    this.#lastLocalId += 1;
    const core = new ChannelCore(this.#lastLocalId);
    this.#cores ??= new Map();
    this.#cores.set(core.localId, core);
    this.windowBytes += core.receive.windowBytes;
    return core;
  }

  /** Removes a channel; false when it was removed before. */
  remove(core: ChannelCore): boolean {
    if (this.#cores?.delete(core.localId) !== true) return false;
    this.windowBytes -= core.receive.windowBytes;
    return true;
  }

  /** The channel with a local id, undefined when it is gone; throws ProtocolViolation when the id was never used. */
  find(localId: number): ChannelCore | undefined {
    if (localId < 1 || localId > this.#lastLocalId) throw new ProtocolViolation('unknown channel');
    return this.#cores?.get(localId);
  }

  /** Whether the peer already uses this id for a channel or a request. */
  hasRemote(remoteId: number): boolean {
    if (this.#requestedIds?.has(remoteId) === true) return true;
    for (const core of this.cores()) if (core.remoteId === remoteId) return true;
    return false;
  }

  /** Adds an undecided request of the peer. */
  addRequest(remoteId: number): void {
    this.#requestedIds ??= new Set();
    this.#requestedIds.add(remoteId);
  }

  /** Removes a decided request of the peer. */
  removeRequest(remoteId: number): void {
    this.#requestedIds?.delete(remoteId);
    if (this.#requestedIds?.size === 0) this.#requestedIds = undefined;
  }
}
