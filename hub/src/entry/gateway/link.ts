import type { Actor, Id } from '@corral/contract';
import type { ChannelRequest, MultiplexConnection } from '@corral/multiplex';
import { limits } from '../../limits/table.ts';
import type { RateLimitedConnection } from './channel-open-queue.ts';

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
  /** Whether a call over it had a name that only clients of 2026 use; others end at endpoints that they do not know. */
  callsNewerNames = false;
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

  /** Counts a running call until the function that it returns is called, which may be called again. */
  beginCall(): () => void {
    this.callCount += 1;
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
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

/** The records that a connection depends on; it is closed when one of them is revoked. */
export interface CredentialRefs {
  readonly deviceId?: string;
  readonly projectId?: string;
  readonly certificateId?: string;
  readonly tokenId?: string;
  readonly userId?: string;
}

/** Every connection that depends on all of these records is closed. */
export interface Revocation {
  readonly credentialRefs: CredentialRefs;
  readonly reason: string;
}

type CredentialRef = keyof CredentialRefs;

interface RecentRevocation extends Revocation {
  readonly atMs: number;
}

/** How long a revocation is kept, for connections that are being admitted meanwhile; an admission takes a few round trips. */
const keptForMs = 30_000;

/** Those whose connections are counted: the device of one-shot commands; the token and the user of command lines. Of registered connections of a device a new one replaces the oldest. */
function holdersOf({ isRegistered, credentialRefs }: Link): [holder: string, max: number][] {
  const { deviceId, userId, tokenId } = credentialRefs;
  if (deviceId !== undefined) return isRegistered ? [] : [[deviceId, limits.linksOfScript.ofCaller]];
  return [
    [`token ${tokenId}`, limits.linksOfToken.ofCaller],
    [`user ${userId}`, limits.linksOfUser.ofCaller],
  ];
}

/** The live connections of this node, by device and by the records that they depend on. */
export class ConnectionRegistry {
  readonly #links = new Set<Link>();
  readonly #byDevice = new Map<string, Link[]>();
  readonly #countOf = new Map<string, number>();
  readonly #nowMs: () => number;
  #revocations: RecentRevocation[] = [];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** All live connections. */
  links(): Iterable<Link> {
    return this.#links;
  }

  /** How many connections of devices are registered, and how many connections there are in all. */
  get counts(): { readonly devices: number; readonly links: number } {
    return { devices: this.#byDevice.size, links: this.#links.size };
  }

  /** The newest registered connection of a device on this node that accepts channels, which excludes those still being admitted. */
  ofDevice(deviceId: string): MultiplexConnection | undefined {
    const links = this.#byDevice.get(deviceId) ?? [];
    return links.findLast(({ connection }) => connection !== undefined)?.connection;
  }

  /** The registered connections of a device on this node, oldest first. */
  allOfDevice(deviceId: string): readonly Link[] {
    return this.#byDevice.get(deviceId) ?? [];
  }

  /** Whether the device, the token or the user of a connection has as many as it may. */
  isFull(link: Link): boolean {
    return holdersOf(link).some(([holder, max]) => (this.#countOf.get(holder) ?? 0) >= max);
  }

  /** Adds a connection. Returns the reason to close it at once when a record it depends on was revoked during its admission. */
  add(link: Link, admittedSinceMs: number): string | undefined {
    this.#links.add(link);
    for (const [holder] of holdersOf(link)) this.#countOf.set(holder, (this.#countOf.get(holder) ?? 0) + 1);
    const { deviceId } = link.credentialRefs;
    if (link.isRegistered && deviceId !== undefined) {
      this.#byDevice.set(deviceId, [...(this.#byDevice.get(deviceId) ?? []), link]);
    }
    return this.#revocations.find(
      (past) => past.atMs >= admittedSinceMs && dependsOn(link, past.credentialRefs),
    )?.reason;
  }

  /** Removes a connection that has ended. */
  remove(link: Link): void {
    if (!this.#links.delete(link)) return;
    for (const [holder] of holdersOf(link)) this.#release(holder);
    const { deviceId } = link.credentialRefs;
    if (!link.isRegistered || deviceId === undefined) return;
    const rest = (this.#byDevice.get(deviceId) ?? []).filter((other) => other !== link);
    if (rest.length === 0) this.#byDevice.delete(deviceId);
    else this.#byDevice.set(deviceId, rest);
  }

  #release(holder: string): void {
    const left = (this.#countOf.get(holder) ?? 1) - 1;
    if (left === 0) this.#countOf.delete(holder);
    else this.#countOf.set(holder, left);
  }

  /** Closes every connection that depends on the revoked records, including those still being admitted. */
  revoke(revocation: Revocation): void {
    const atMs = this.#nowMs();
    this.#revocations = this.#revocations.filter((past) => past.atMs > atMs - keptForMs);
    this.#revocations.push({ ...revocation, atMs });
    const { deviceId } = revocation.credentialRefs;
    const candidates =
      deviceId === undefined
        ? this.#links
        : [...this.#links].filter((link) => link.credentialRefs.deviceId === deviceId);
    for (const link of candidates) {
      if (dependsOn(link, revocation.credentialRefs)) link.close(revocation.reason);
    }
  }
}

function dependsOn(link: Link, revoked: CredentialRefs): boolean {
  const names = Object.keys(revoked) as CredentialRef[];
  return names.length > 0 && names.every((name) => link.credentialRefs[name] === revoked[name]);
}

/** The records of a connection that its actor names. */
export function credentialRefsOf(actor: Actor): CredentialRefs {
  if (actor.actor === 'Device') return { deviceId: actor.deviceId, tokenId: actor.tokenId };
  if (actor.actor === 'UserToken') return { userId: actor.userId, tokenId: actor.tokenId };
  return {};
}
