import type { Actor, Id } from '@corral/contract';
import type { Foundations } from './directory.ts';
import type { PacedConnection } from './PacedConnection.ts';

/** How a live connection is recorded. */
export interface Registration {
  readonly connectionId: Id<'deviceConnection'>;
  readonly nodeId: Id<'clusterNode'>;
}

/** One connection of a device or a CLI, from its admission to its end. */
export class Link {
  readonly actor: Actor;
  readonly foundations: Foundations;
  /** Whether it makes its device connected and takes channels. */
  readonly isRegistered: boolean;
  readonly remoteAddress: string | undefined;
  /** Under which id, and by which node's, it is recorded; both change when the node goes on under a new id. */
  registration: Registration | undefined;
  /** Set once it has ended, or was never let in. */
  hasEnded = false;
  /** How many executor channels it has open. */
  executorCount = 0;
  /** Lets its device or user connect more rarely, for having broken the rules; set when it is let in. */
  penalize: (() => void) | undefined;
  /** How many calls it has under way. */
  callCount = 0;
  #idle: PromiseWithResolvers<void> | undefined;
  #connection: PacedConnection | undefined;
  #closeReason: string | undefined;

  constructor(
    actor: Actor,
    foundations: Foundations,
    isRegistered: boolean,
    remoteAddress: string | undefined,
  ) {
    this.actor = actor;
    this.foundations = foundations;
    this.isRegistered = isRegistered;
    this.remoteAddress = remoteAddress;
  }

  /** The multiplexed connection; undefined until the upgrade is done. */
  get connection(): PacedConnection | undefined {
    return this.#connection;
  }

  /** Why the connection was told to end; undefined while it may live. */
  get closeReason(): string | undefined {
    return this.#closeReason;
  }

  /** Notes that a call begins; the answer notes its end. */
  beginCall(): () => void {
    this.callCount += 1;
    return () => {
      this.callCount -= 1;
      if (this.callCount === 0) this.#idle?.resolve();
    };
  }

  /** Fulfilled the next time that no call is under way. */
  whenIdle(): Promise<void> {
    if (this.callCount === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  /** Gives the admitted link its connection; one that was told to end meanwhile ends at once. */
  attach(connection: PacedConnection): void {
    this.#connection = connection;
    if (this.#closeReason !== undefined) connection.close(this.#closeReason);
  }

  /** Ends the connection, or prevents it when it is still being admitted. */
  close(reason: string): void {
    this.#closeReason ??= reason;
    this.#connection?.close(reason);
  }
}
