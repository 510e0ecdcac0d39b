import type { OtlpStream, DeviceEventSeverity } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { hasRecords } from './export-sources.ts';
import type { SealedHeaders } from './exports.ts';

/** A node that has taken a stream and did not say more for so long has lost it. */
export const leaseMs = 60_000;

/** A stream that is exported now, and where to. */
export interface DueStream extends SealedHeaders {
  readonly stream: OtlpStream;
  readonly endpoint: string;
  readonly min_severity: DeviceEventSeverity | null;
  readonly filter: string | null;
  readonly cursor_position: number;
  readonly cursor_device: string;
  readonly cursor_id: string;
  readonly attempts: number;
}

/** Takes streams that have records, so that no other node exports them meanwhile. */
export async function takeDueStreams(
  tx: Database,
  { lease, most, now }: { readonly lease: string; readonly most: number; readonly now: Date },
): Promise<DueStream[]> {
  const { rows } = await sql<DueStream>`
    with due as (
      select s.project_id, s.stream from otlp_streams s join otlp_exports x using (project_id)
      where x.is_enabled and x.endpoint is not null and s.next_attempt_at <= ${now} and coalesce(s.leased_until <= ${now}, true) and ${hasRecords}
      order by s.next_attempt_at limit ${most} for no key update of s skip locked
    )
    update otlp_streams s set lease = ${lease}, leased_until = ${new Date(now.getTime() + leaseMs)}
    from due join otlp_exports x using (project_id) where s.project_id = due.project_id and s.stream = due.stream
    returning s.project_id, s.stream, s.cursor_position, s.cursor_device, s.cursor_id, s.attempts, x.endpoint, x.sealed, x.sealed_under, x.min_severity, x.filter`.execute(
    tx,
  );
  return rows;
}
