import type { DeviceEventSeverity } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { shownName } from '../../devices/index.ts';
import { recordsAfter, type Exported, type OtlpCursor } from './export-sources.ts';

/** A record as it is exported; ids are raw. */
export interface ExportedRecord extends OtlpCursor {
  readonly deviceId: string | null;
  /** Its name, or else its hostname. */
  readonly deviceName: string | null;
  readonly severity: DeviceEventSeverity;
  readonly category: string | null;
  /** JSON text; null where the record is not sent. */
  readonly body: string | null;
  /** JSON text. */
  readonly attributes: string | null;
  /** Microseconds since 1970. */
  readonly emittedMicros: string;
  readonly receivedMicros: string;
  readonly receivedAt: string;
  /** The size as it is stored. */
  readonly bytes: number;
  /** `Skipped`: it passes no filter. `Old`: it has waited for too long. */
  readonly fate: 'Sent' | 'Skipped' | 'Old';
}

/** So much of documents is read at once: with all around them, a request stays below what collectors take by default, 20 MiB. */
const maxBytes = 4 * 1024 ** 2;

/** Reads the records after a cursor, as many as a request takes; what is older than `oldest` is not sent any more. */
export async function readRecords(
  db: Database,
  exported: Exported,
  cursor: OtlpCursor,
  limits: { readonly now: Date; readonly oldest: Date; readonly limit: number },
): Promise<ExportedRecord[]> {
  const { rows } = await sql<ExportedRecord>`
    select position, device, id, z.device_id as "deviceId", ${shownName} as "deviceName", severity, category,
      case when fate = 'Sent' then body_text end as body, case when fate = 'Sent' then attributes_text end as attributes,
      (extract(epoch from emitted_at) * 1000000)::bigint::text as "emittedMicros", (extract(epoch from received_at) * 1000000)::bigint::text as "receivedMicros",
      received_at as "receivedAt", bytes, fate
    from (
      select t.*, sum(size) over (order by position, device, id rows unbounded preceding) - size as before
      from (
        select r.*, body::text as body_text, attributes::text as attributes_text, octet_length(body::text) + octet_length(attributes::text) as size,
          case when not passes then 'Skipped' when received_at < ${limits.oldest} then 'Old' else 'Sent' end as fate
        from (${recordsAfter(exported, cursor, limits)}) as r
      ) as t
    ) as z left join all_devices d on d.device_id = z.device_id
    where before < ${maxBytes} order by position, device, id`.execute(db);
  return rows;
}

/** For how many seconds the oldest record after a cursor waits; 0 if none does. */
export async function lagSecs(
  db: Database,
  exported: Exported,
  cursor: OtlpCursor,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select greatest(0, floor(extract(epoch from ${now}::timestamptz - received_at)))::int as lag
    from (${recordsAfter(exported, cursor, { now, limit: lookedAt })}) as r where passes limit 1`.execute(db);
  return rows[0]?.lag ?? 0;
}

/** So many records are looked at to find one that is sent. */
const lookedAt = 1_000;
