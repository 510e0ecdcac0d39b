import { ChannelCore } from './channel-core.ts';
import { startBytes } from './credit.ts';
import { ProtocolViolation } from './errors.ts';

/** The channels of one connection by local id, and the requests of the peer that wait for a decision. */
export class ChannelTable {
  readonly #maxChannels: number;
  // Made with the first channel: most of thousands of idle connections have one or none.
  #cores: Map<number, ChannelCore> | undefined;
  #offered: Set<number> | undefined;
  #lastLocalId = 0;
  /** Sum of all receive windows, in bytes. */
  windowBytes = 0;

  constructor(maxChannels: number) {
    this.#maxChannels = maxChannels;
  }

  /** Channels and undecided requests. */
  get count(): number {
    return (this.#cores?.size ?? 0) + (this.#offered?.size ?? 0);
  }

  /** Whether the connection takes no further channel. */
  get isFull(): boolean {
    return this.count >= this.#maxChannels;
  }

  /** Channels, requested or open. */
  get openCount(): number {
    return this.#cores?.size ?? 0;
  }

  /** What the first windows of all channels would take that could yet be opened, in bytes. */
  get unopenedBytes(): number {
    return (this.#maxChannels - this.openCount) * startBytes;
  }

  /** Every channel, requested or open. */
  cores(): Iterable<ChannelCore> {
    return this.#cores?.values() ?? [];
  }

  /** A channel with a fresh local id. */
  add(): ChannelCore {
    this.#lastLocalId += 1;
    const core = new ChannelCore(this.#lastLocalId);
    this.#cores ??= new Map();
    this.#cores.set(core.localId, core);
    this.windowBytes += core.receive.windowBytes;
    return core;
  }

  /** Forgets a channel; false when it was gone already. */
  remove(core: ChannelCore): boolean {
    if (this.#cores?.delete(core.localId) !== true) return false;
    this.windowBytes -= core.receive.windowBytes;
    return true;
  }

  /** The channel with a local id, undefined when it is gone; throws ProtocolViolation when it never was. */
  find(localId: number): ChannelCore | undefined {
    if (localId < 1 || localId > this.#lastLocalId) throw new ProtocolViolation('unknown channel');
    return this.#cores?.get(localId);
  }

  /** Whether the peer uses this id for a channel or a request already. */
  hasRemote(remoteId: number): boolean {
    if (this.#offered?.has(remoteId) === true) return true;
    for (const core of this.cores()) if (core.remoteId === remoteId) return true;
    return false;
  }

  /** Notes a request of the peer. */
  offer(remoteId: number): void {
    this.#offered ??= new Set();
    this.#offered.add(remoteId);
  }

  /** A request of the peer was decided. */
  withdraw(remoteId: number): void {
    this.#offered?.delete(remoteId);
    if (this.#offered?.size === 0) this.#offered = undefined;
  }
}
