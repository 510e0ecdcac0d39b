import { sql, type RawBuilder } from 'kysely';
import type { OtlpStream } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import { leaseMs } from './due-streams.ts';
import { lagSecs } from './exported-records.ts';
import { recordsAfter, type Exported, type OtlpCursor } from './export-sources.ts';

/** A stream that a node has taken; the id is raw. */
export interface TakenStream {
  readonly projectId: string;
  readonly stream: OtlpStream;
  readonly lease: string;
}

/** How far the export of a stream has come. */
export interface Progress {
  /** The last record that is done with. */
  readonly cursor: OtlpCursor;
  readonly sent: number;
  readonly dropped: number;
  readonly setAside: number;
  /** The size of the records that are done with. */
  readonly bytes: number;
  /** What went wrong, in a sentence. */
  readonly error: string | undefined;
  /** Whether nothing was accepted, so that it is tried again. */
  readonly hasFailed: boolean;
  /** When the stream may be taken again; undefined while its node goes on. */
  readonly releasedUntil: Date | undefined;
}

const isTaken = ({ projectId, stream, lease }: TakenStream): RawBuilder<boolean> =>
  sql<boolean>`s.project_id = ${projectId} and s.stream = ${stream} and s.lease = ${lease}`;

/** Records how far a stream has come; false if the node has lost it, or it was changed. */
export async function recordProgress(
  tx: Database,
  taken: TakenStream,
  { cursor, sent, dropped, setAside, bytes, error, hasFailed, releasedUntil }: Progress,
  now: Date,
): Promise<boolean> {
  const { position, device, id } = cursor;
  const isMeasured = sql`(s.measured_position, s.measured_device, s.measured_id) > (${position}::bigint, ${device}::text, ${id}::text)`;
  const { numAffectedRows } = await sql`
    update otlp_streams s set cursor_position = ${position}, cursor_device = ${device}, cursor_id = ${id},
      sent = sent + ${sent}::bigint, dropped = dropped + ${dropped}::bigint, set_aside = set_aside + ${setAside}::bigint,
      last_sent_at = case when ${sent}::bigint > 0 then ${now} else last_sent_at end,
      last_error = coalesce(${error ?? null}, last_error), last_error_at = case when ${error ?? null}::text is null then last_error_at else ${now} end,
      attempts = case when ${hasFailed} then attempts + 1 else 0 end,
      next_attempt_at = ${releasedUntil ?? now}, lease = case when ${releasedUntil !== undefined} then null else lease end,
      leased_until = case when ${releasedUntil !== undefined} then null else ${new Date(now.getTime() + leaseMs)}::timestamptz end,
      measured_position = case when ${isMeasured} then measured_position end,
      measured_bytes = case when ${isMeasured} then greatest(0, measured_bytes - ${bytes}::bigint) else 0 end
    where ${isTaken(taken)}`.execute(tx);
  return numAffectedRows === 1n;
}

/** How many records are measured, and dropped, at once. */
const measuredAtOnce = 50_000;

/** Records that have waited for longer are a backlog. */
const backlogSecs = 60;

/** What may wait. */
export interface BacklogLimits {
  /** Records from before are dropped. */
  readonly oldest: Date;
  readonly maxBytes: number;
  readonly now: Date;
}

/**
 * Measures some more of what waits in a taken stream, and drops the oldest of what is too much or too old. Returns the cursor from then on, and whether there may be more to do; undefined if the node
 * has lost the stream.
 */
export async function trimBacklog(
  tx: Database,
  taken: TakenStream,
  exported: Exported,
  limits: BacklogLimits,
): Promise<{ readonly cursor: OtlpCursor; readonly isMore: boolean; readonly dropped: number } | undefined> {
  const present = await keepTaken(tx, taken, limits.now);
  if (present === undefined) return undefined;
  if ((await lagSecs(tx, exported, present.cursor, limits.now)) < backlogSecs)
    return { cursor: present.cursor, isMore: false, dropped: 0 };
  const measured = await measureMore(tx, taken, { exported, present, now: limits.now });
  const { cursor } = present;
  const { waitingBytes, isWhole } = measured;
  const records = recordsAfter(exported, cursor, { now: limits.now, limit: measuredAtOnce });
  const { rows } = await sql<OtlpCursor & { dropped: number; bytes: number }>`
    with head as (
      select position, device, id, passes, received_at, bytes, sum(bytes) over (order by position, device, id rows unbounded preceding) as upto
      from (${records}) as r
    ), final as (
      select position, device, id, upto from head where received_at < ${limits.oldest} or ${waitingBytes}::bigint - (upto - bytes) > ${limits.maxBytes}::bigint
      order by position desc, device desc, id desc limit 1
    )
    select f.position, f.device, f.id, f.upto::bigint as bytes, (
      select count(*) from head h where h.passes and (h.position, h.device, h.id) <= (f.position, f.device, f.id)) as dropped from final f`.execute(
    tx,
  );
  const [gone] = rows;
  if (gone === undefined) return { cursor, isMore: !isWhole, dropped: 0 };
  const next = { position: gone.position, device: gone.device, id: gone.id };
  const { dropped, bytes } = gone;
  const rest = { sent: 0, setAside: 0, error: undefined, hasFailed: false, releasedUntil: undefined };
  await recordProgress(tx, taken, { ...rest, cursor: next, dropped, bytes }, limits.now);
  return { cursor: next, isMore: true, dropped };
}

/** A taken stream with what of it was measured. */
interface Present {
  readonly cursor: OtlpCursor;
  readonly measured: OtlpCursor;
  readonly waitingBytes: number;
}

/** Keeps a stream taken; undefined if the node has lost it. */
async function keepTaken(tx: Database, taken: TakenStream, now: Date): Promise<Present | undefined> {
  const { rows } = await sql<Present>`
    update otlp_streams s set leased_until = ${new Date(now.getTime() + leaseMs)} where ${isTaken(taken)}
    returning jsonb_build_object('position', cursor_position, 'device', cursor_device, 'id', cursor_id) as cursor, measured_bytes as "waitingBytes",
      case when measured_position is null then jsonb_build_object('position', cursor_position, 'device', cursor_device, 'id', cursor_id)
        else jsonb_build_object('position', measured_position, 'device', measured_device, 'id', measured_id) end as measured`.execute(
    tx,
  );
  return rows[0];
}

/** Measures some more of what waits. */
async function measureMore(
  tx: Database,
  taken: TakenStream,
  { exported, present, now }: { readonly exported: Exported; readonly present: Present; readonly now: Date },
): Promise<{ readonly waitingBytes: number; readonly isWhole: boolean }> {
  const { rows } = await sql<OtlpCursor & { bytes: number; records: number }>`
    with r as materialized (${recordsAfter(exported, present.measured, { now, limit: measuredAtOnce })}),
      final as (select position, device, id from r order by position desc, device desc, id desc limit 1)
    select final.*, (select sum(bytes) from r)::bigint as bytes, (select count(*) from r)::int as records from final`.execute(
    tx,
  );
  const [more] = rows;
  if (more === undefined) return { waitingBytes: present.waitingBytes, isWhole: true };
  const waitingBytes = present.waitingBytes + more.bytes;
  await sql`
    update otlp_streams s set measured_position = ${more.position}, measured_device = ${more.device}, measured_id = ${more.id}, measured_bytes = ${waitingBytes}::bigint
    where ${isTaken(taken)}`.execute(tx);
  return { waitingBytes, isWhole: more.records < measuredAtOnce };
}
