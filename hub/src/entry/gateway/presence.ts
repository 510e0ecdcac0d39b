import { goElsewhere, type Id } from '@corral/contract';
import type { Executor } from '../../calls/executor.ts';
import { type Given, systemCaller } from '../../calls/handler.ts';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently.ts';
import type { LogFields } from '../../platform/log/log-fields.ts';
import { type GatewayContext, logFieldsOf } from './gateway-context.ts';
import type { Link, Registration } from './link.ts';
import { RegisterDeviceConnection } from '../../domains/devices/internal/RegisterDeviceConnection.ts';
import { UnregisterDeviceConnection } from '../../domains/devices/internal/UnregisterDeviceConnection.ts';

/** What is recorded of the end of a connection. */
export type RecordedEnd = Omit<Given<typeof UnregisterDeviceConnection>, 'connectionId'>;

interface PresenceParts {
  readonly executor: Executor;
  readonly nodeId: () => Id<'clusterNode'>;
  readonly log: { warn(fields: LogFields, message: string): void };
}

const endsPerBatch = 64;

/** Records the device connections of this node: a row while a connection lives, and its end. */
export class Presence {
  readonly #parts: PresenceParts;
  readonly #unrecorded = new Map<Registration['connectionId'], RecordedEnd>();
  #recording: Promise<void> | undefined;

  constructor(parts: PresenceParts) {
    this.#parts = parts;
  }

  /** Registers the connection of an admitted device. Rejected when a record it depends on was revoked meanwhile. */
  async register(link: Link): Promise<void> {
    const { deviceId, certificateId, tokenId } = link.credentialRefs;
    const nodeId = this.#parts.nodeId();
    const { connectionId } = await this.#parts.executor.run(callerOf(link), RegisterDeviceConnection, {
      deviceId: deviceId as Id<'device'>,
      certificateId: certificateId as Id<'deviceCertificate'>,
      tokenId: tokenId as Id<'deploymentTokenId'>,
      nodeId,
      address: link.remoteAddress,
    });
    this.#keepOne(link, { connectionId, nodeId });
  }

  /** Whether the connection is recorded under the node's current id. */
  isCurrent({ registration }: Link): boolean {
    return registration?.nodeId === this.#parts.nodeId();
  }

  /** Keeps one record per connection, that of the node's current id, and none of a connection that has ended meanwhile. */
  #keepOne(link: Link, registration: Registration): void {
    const isSurplus =
      link.hasEnded || (link.registration !== undefined && registration.nodeId !== this.#parts.nodeId());
    const surplus = isSurplus ? registration : link.registration;
    if (!isSurplus) link.registration = registration;
    if (surplus !== undefined) this.#queueEnd(surplus, { endReason: 'Disconnected' });
  }

  /** Queues the end of a connection; it is recorded as soon as the database is reachable. */
  end(link: Link, end: RecordedEnd): void {
    link.hasEnded = true;
    if (link.registration !== undefined) this.#queueEnd(link.registration, end);
    link.registration = undefined;
  }

  #queueEnd({ connectionId }: Registration, end: RecordedEnd): void {
    this.#unrecorded.set(connectionId, end);
    void this.flush();
  }

  /** Records the queued ends; those that fail stay queued. */
  flush(): Promise<void> {
    this.#recording ??= this.#record().finally(() => (this.#recording = undefined));
    return this.#recording;
  }

  async #record(): Promise<void> {
    try {
      for (let batch = this.#batch(); batch.length > 0; batch = this.#batch()) {
        await Promise.all(batch.map(([connectionId, end]) => this.#recordEnd(connectionId, end)));
      }
    } catch (error) {
      this.#parts.log.warn(
        { err: error, waiting: this.#unrecorded.size },
        'ends of connections could not be recorded yet',
      );
    }
  }

  /** The next ends, as many as go into one statement. */
  #batch(): [Registration['connectionId'], RecordedEnd][] {
    const batch: [Registration['connectionId'], RecordedEnd][] = [];
    for (const entry of this.#unrecorded) {
      batch.push(entry);
      if (batch.length === endsPerBatch) break;
    }
    return batch;
  }

  async #recordEnd(connectionId: Registration['connectionId'], end: RecordedEnd): Promise<void> {
    await this.#parts.executor.run(systemCaller, UnregisterDeviceConnection, { connectionId, ...end });
    this.#unrecorded.delete(connectionId);
  }
}

function callerOf(link: Link) {
  return {
    actor: systemCaller.actor,
    origin: link.remoteAddress === undefined ? {} : { ip: link.remoteAddress },
  };
}

const reregistrationsAtOnce = 64;

/** Registers every live connection under the node's current id; one that cannot be registered is closed. */
export async function reregister(context: GatewayContext): Promise<void> {
  const links = [...context.registry.links()].filter(
    (link) => link.isRegistered && !context.presence.isCurrent(link),
  );
  await forEachConcurrently(links, reregistrationsAtOnce, (link) => reregisterLink(context, link));
}

async function reregisterLink(context: GatewayContext, link: Link): Promise<void> {
  try {
    const former = link.registration?.connectionId;
    if (!link.hasEnded) await context.presence.register(link);
    await context.operations.moved(link, former);
  } catch (error) {
    const fields = { ...logFieldsOf(link), err: error };
    context.parts.log.warn(fields, 'a connection could not be registered again and is closed');
    link.close(goElsewhere);
  }
}
