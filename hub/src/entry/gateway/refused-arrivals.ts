import { ActionError, ids } from '@corral/contract';
import { hashSecret, lookupKey } from '../../auth/secret.ts';
import type { Executor } from '../../calls/executor.ts';
import { type Given, systemCaller } from '../../calls/handler.ts';
import { RecordRefusedArrivals } from '../../domains/devices/internal/RecordRefusedArrivals.ts';
import { amounts } from '../../limits/amounts.ts';
import type { LogFields } from '../../platform/log/log-fields.ts';
import type { DeviceCredentials } from './credentials.ts';
import { AdmissionError } from './refuse-upgrade.ts';

type Refused = Given<typeof RecordRefusedArrivals>[number];
type Arrival = Refused['arrivals'][number];
type RefusalReason = Arrival['reason'];

interface Parts {
  readonly executor: Executor;
  readonly log: { warn(fields: LogFields, message: string): void };
}

/** Devices whose refusals wait for the next second; those of further ones are not kept. */
const maxWaiting = 1_000;

/** Collects the connections that are refused to devices, and records them every second in one statement. */
export class RefusedArrivals {
  readonly #parts: Parts;
  #waiting = new Map<string, Refused>();
  #recording: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Notes that a device was refused, unless the hub itself was the reason. */
  note(credentials: DeviceCredentials, address: string | undefined, error: unknown): void {
    const reason = reasonOf(error);
    const raw = ids.deviceFingerprint.raw(credentials.fingerprint);
    const before = this.#waiting.get(raw);
    if (reason === undefined || (before === undefined && this.#waiting.size >= maxWaiting)) return;
    const sentence = (error as Error).message;
    this.#waiting.set(raw, {
      fingerprintId: lookupKey(raw),
      fingerprintHash: hashSecret(raw).toString('hex'),
      count: (before?.count ?? 0) + 1,
      arrivals: added(before?.arrivals ?? [], { reason, sentence, address, count: 1 }),
    });
  }

  /** Records what was noted. What cannot be recorded, because the database is away, is not kept. */
  flush(): Promise<void> {
    this.#recording ??= this.#record().finally(() => (this.#recording = undefined));
    return this.#recording;
  }

  async #record(): Promise<void> {
    const refused = [...this.#waiting.values()];
    if (refused.length === 0) return;
    this.#waiting = new Map();
    try {
      await this.#parts.executor.run(systemCaller, RecordRefusedArrivals, refused);
    } catch (error) {
      this.#parts.log.warn({ err: error, waiting: refused.length }, 'refused connections were not recorded');
    }
  }
}

/** The newest first; one like the newest is counted there. */
function added(arrivals: readonly Arrival[], arrival: Arrival): readonly Arrival[] {
  const [newest, ...older] = arrivals;
  if (newest?.sentence === arrival.sentence && newest.address === arrival.address)
    return [{ ...newest, count: newest.count + 1 }, ...older];
  return [arrival, ...arrivals].slice(0, amounts.refusedArrivals.max);
}

/** Undefined where the device is not the reason: the hub stops, is full or has no database. */
function reasonOf(error: unknown): RefusalReason | undefined {
  if (error instanceof ActionError) {
    const { kind = 'Other' } = error.reason ?? {};
    if (kind !== 'Other' && kind !== 'FilterMistake' && kind !== 'StepUpWanted') return kind;
    return ['Forbidden', 'Invalid'].includes(error.kind) ? 'Other' : undefined;
  }
  if (!(error instanceof AdmissionError)) return undefined;
  if (error.status === 400) return 'CertificateMissing';
  return error.status === 403 || error.status === 429 ? 'Other' : undefined;
}
