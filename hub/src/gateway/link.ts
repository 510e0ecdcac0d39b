import type { Actor, Id } from '@corral/contract';
import type { ChannelRequest } from '@corral/multiplex';
import type { CredentialRefs } from './connection-registry.ts';
import type { RateLimitedConnection } from './RateLimitedConnection.ts';

/** The record of a live connection. */
export interface Registration {
  readonly connectionId: Id<'deviceConnection'>;
  readonly nodeId: Id<'clusterNode'>;
}

let links = 0;

/** One connection of a device or a command line, from its admission to its end. */
export class Link {
  readonly actor: Actor;
  readonly credentialRefs: CredentialRefs;
  /** Whether it makes its device connected and accepts channels. */
  readonly isRegistered: boolean;
  readonly remoteAddress: string | undefined;
  /** Its record in the database; a new one when the node continues under a new id. */
  registration: Registration | undefined;
  /** Set once it has ended, or was refused. */
  hasEnded = false;
  /** The number of open executor channels. */
  executorCount = 0;
  /** Requests of executor channels that are decided in the next turn of the event loop; at most as many as a connection may have undecided. */
  readonly waitingExecutors: ChannelRequest[] = [];
  /** Charges its connect rate limit for a protocol violation, or for leaving while calls wait; set at its admission. */
  penalize: (() => void) | undefined;
  /** The number of running calls. */
  callCount = 0;
  /** By which its calls are counted. */
  readonly key = String((links += 1));
  /** The number of calls that wait, because too many before them were refused. */
  pacedCallCount = 0;
  #idle: PromiseWithResolvers<void> | undefined;
  #connection: RateLimitedConnection | undefined;
  #closeReason: string | undefined;

  constructor(
    actor: Actor,
    credentialRefs: CredentialRefs,
    isRegistered: boolean,
    remoteAddress: string | undefined,
  ) {
    this.actor = actor;
    this.credentialRefs = credentialRefs;
    this.isRegistered = isRegistered;
    this.remoteAddress = remoteAddress;
  }

  /** The multiplexed connection; undefined until the upgrade is done. */
  get connection(): RateLimitedConnection | undefined {
    return this.#connection;
  }

  /** Why the connection is being closed; undefined while it stays open. */
  get closeReason(): string | undefined {
    return this.#closeReason;
  }

  /** Counts a running call until the function that it returns is called. */
  beginCall(): () => void {
    this.callCount += 1;
    return () => {
      this.callCount -= 1;
      if (this.callCount === 0) this.#idle?.resolve();
    };
  }

  /** Fulfilled as soon as no call is running. */
  whenIdle(): Promise<void> {
    if (this.callCount === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  /** Sets the connection of an admitted link; closes it if the link was closed meanwhile. */
  attach(connection: RateLimitedConnection): void {
    this.#connection = connection;
    if (this.#closeReason !== undefined) connection.close(this.#closeReason);
  }

  /** Closes the connection, or prevents it while it is being admitted. */
  close(reason: string): void {
    this.#closeReason ??= reason;
    this.#connection?.close(reason);
  }
}
