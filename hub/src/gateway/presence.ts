import type { Actor, Id } from '@corral/contract';
import type { Executor } from '../executor/executor.ts';
import type { Link, Registration } from './link.ts';

type EndReason = 'Disconnected' | 'ServerShutdown';

interface PresenceParts {
  readonly executor: Executor;
  readonly nodeId: () => Id<'clusterNode'>;
  readonly log: { warn(fields: object, message: string): void };
}

const endingsAtOnce = 64;
const system: Actor = { actor: 'System', kind: 'System' };

/** Keeps the rows of this node's device connections true: one while a connection lives, its end once it is over. */
export class Presence {
  readonly #parts: PresenceParts;
  readonly #unrecorded = new Map<Registration['connectionId'], EndReason>();
  #recording: Promise<void> | undefined;

  constructor(parts: PresenceParts) {
    this.#parts = parts;
  }

  /** Registers the connection of an admitted device; refused when something it rests on was withdrawn meanwhile. */
  async register(link: Link): Promise<void> {
    const { deviceId, certificateId, tokenId } = link.foundations;
    const nodeId = this.#parts.nodeId();
    const { connectionId } = await this.#parts.executor.invoke(
      callerOf(link),
      'devices_RegisterDeviceConnection',
      {
        deviceId: deviceId as Id<'device'>,
        certificateId: certificateId as Id<'deviceCertificate'>,
        tokenId: tokenId as Id<'deploymentTokenId'>,
        nodeId,
      },
    );
    this.#settle(link, { connectionId, nodeId });
  }

  /** Whether the connection is recorded under the node's present id. */
  isCurrent({ registration }: Link): boolean {
    return registration?.nodeId === this.#parts.nodeId();
  }

  /** Of two records of one connection that of the node's present id stays, and none of a connection that has ended meanwhile. */
  #settle(link: Link, registration: Registration): void {
    const isSurplus =
      link.hasEnded || (link.registration !== undefined && registration.nodeId !== this.#parts.nodeId());
    const surplus = isSurplus ? registration : link.registration;
    if (!isSurplus) link.registration = registration;
    if (surplus !== undefined) this.#note(surplus, 'Disconnected');
  }

  /** Takes note that a connection has ended; it is recorded as soon as the database takes it. */
  end(link: Link, reason: EndReason): void {
    link.hasEnded = true;
    if (link.registration !== undefined) this.#note(link.registration, reason);
    link.registration = undefined;
  }

  #note({ connectionId }: Registration, reason: EndReason): void {
    this.#unrecorded.set(connectionId, reason);
    void this.flush();
  }

  /** Records the ends that are noted; what fails is kept for the next time. */
  flush(): Promise<void> {
    this.#recording ??= this.#record().finally(() => (this.#recording = undefined));
    return this.#recording;
  }

  async #record(): Promise<void> {
    try {
      for (let batch = this.#batch(); batch.length > 0; batch = this.#batch()) {
        await Promise.all(batch.map(([connectionId, reason]) => this.#recordEnd(connectionId, reason)));
      }
    } catch (error) {
      this.#parts.log.warn(
        { err: error, waiting: this.#unrecorded.size },
        'ends of connections could not be recorded yet',
      );
    }
  }

  /** Some at a time, as many as go into one statement. */
  #batch(): [Registration['connectionId'], EndReason][] {
    const batch: [Registration['connectionId'], EndReason][] = [];
    for (const entry of this.#unrecorded) {
      batch.push(entry);
      if (batch.length === endingsAtOnce) break;
    }
    return batch;
  }

  async #recordEnd(connectionId: Registration['connectionId'], endReason: EndReason): Promise<void> {
    await this.#parts.executor.invoke({ actor: system, origin: {} }, 'devices_UnregisterDeviceConnection', {
      connectionId,
      endReason,
    });
    this.#unrecorded.delete(connectionId);
  }
}

function callerOf(link: Link) {
  return { actor: system, origin: link.remoteAddress === undefined ? {} : { ip: link.remoteAddress } };
}
