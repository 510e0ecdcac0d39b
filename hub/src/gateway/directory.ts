import type { Actor } from '@corral/contract';
import type { MultiplexConnection } from '@corral/multiplex';
import type { Link } from './link.ts';

/** What must hold for a connection to live; when one of these is withdrawn, it is cut. */
export interface Foundations {
  readonly deviceId?: string;
  readonly projectId?: string;
  readonly certificateId?: string;
  readonly tokenId?: string;
  readonly userId?: string;
}

/** A withdrawal: every connection that rests on all of the named foundations is cut. */
export interface Withdrawal {
  readonly foundations: Foundations;
  readonly reason: string;
}

type Foundation = keyof Foundations;

interface Remembered extends Withdrawal {
  readonly atMs: number;
}

/** An admission takes a few round trips; a withdrawal that falls into it is remembered for this long. */
const rememberedForMs = 30_000;

/** The live connections of this node, by device and by what they rest on. */
export class Directory {
  readonly #links = new Set<Link>();
  readonly #byDevice = new Map<string, Link[]>();
  readonly #nowMs: () => number;
  #withdrawals: Remembered[] = [];

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

  /** The newest registered connection of a device on this node that takes channels: one that is still being admitted does not. */
  ofDevice(deviceId: string): MultiplexConnection | undefined {
    const links = this.#byDevice.get(deviceId) ?? [];
    return links.findLast(({ connection }) => connection !== undefined)?.connection;
  }

  /** The registered connections of a device on this node, oldest first. */
  allOfDevice(deviceId: string): readonly Link[] {
    return this.#byDevice.get(deviceId) ?? [];
  }

  /** Takes a connection in; answers why it must end at once if something it rests on was withdrawn during its admission. */
  add(link: Link, admittedSinceMs: number): string | undefined {
    this.#links.add(link);
    const { deviceId } = link.foundations;
    if (link.isRegistered && deviceId !== undefined) {
      this.#byDevice.set(deviceId, [...(this.#byDevice.get(deviceId) ?? []), link]);
    }
    return this.#withdrawals.find((past) => past.atMs >= admittedSinceMs && restsOn(link, past.foundations))
      ?.reason;
  }

  /** Forgets a connection that has ended. */
  remove(link: Link): void {
    this.#links.delete(link);
    const { deviceId } = link.foundations;
    if (!link.isRegistered || deviceId === undefined) return;
    const rest = (this.#byDevice.get(deviceId) ?? []).filter((other) => other !== link);
    if (rest.length === 0) this.#byDevice.delete(deviceId);
    else this.#byDevice.set(deviceId, rest);
  }

  /** Cuts every connection that rests on what is withdrawn, those still being admitted included. */
  withdraw(withdrawal: Withdrawal): void {
    const atMs = this.#nowMs();
    this.#withdrawals = this.#withdrawals.filter((past) => past.atMs > atMs - rememberedForMs);
    this.#withdrawals.push({ ...withdrawal, atMs });
    const { deviceId } = withdrawal.foundations;
    const candidates =
      deviceId === undefined
        ? this.#links
        : [...this.#links].filter((link) => link.foundations.deviceId === deviceId);
    for (const link of candidates) {
      if (restsOn(link, withdrawal.foundations)) link.close(withdrawal.reason);
    }
  }
}

function restsOn(link: Link, withdrawn: Foundations): boolean {
  const names = Object.keys(withdrawn) as Foundation[];
  return names.length > 0 && names.every((name) => link.foundations[name] === withdrawn[name]);
}

/** The foundations of a connection that are plain from its actor. */
export function foundationsOfActor(actor: Actor): Foundations {
  if (actor.actor === 'Device') return { deviceId: actor.deviceId, tokenId: actor.tokenId };
  if (actor.actor === 'UserToken') return { userId: actor.userId, tokenId: actor.tokenId };
  return {};
}
