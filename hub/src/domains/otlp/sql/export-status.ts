import type { Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { lagSecs } from './exported-records.ts';

type Status = Output<'projects_GetOtlpStatus'>['streams'][number];

/** How each stream of a project, by its raw id, stands. */
export async function readStatus(tx: Database, projectId: string, now: Date): Promise<Status[]> {
  const rows = await tx
    .selectFrom('otlp_streams')
    .innerJoin('otlp_exports', 'otlp_exports.project_id', 'otlp_streams.project_id')
    .select(['stream', 'cursor_position', 'cursor_device', 'cursor_id', 'sent', 'dropped', 'set_aside'])
    .select([
      'last_sent_at',
      'last_error',
      'last_error_at',
      'attempts',
      'next_attempt_at',
      'min_severity',
      'filter',
    ])
    .where('otlp_streams.project_id', '=', projectId)
    .orderBy(sql`array_position(array['events', 'audit', 'operations', 'connections'], stream)`)
    .execute();
  const status: Status[] = [];
  for (const row of rows) {
    const { stream, min_severity: minSeverity, filter } = row;
    const cursor = { position: row.cursor_position, device: row.cursor_device, id: row.cursor_id };
    status.push({
      stream,
      lagSecs: await lagSecs(tx, { projectId, stream, minSeverity, filter }, cursor, now),
      sent: row.sent,
      dropped: row.dropped,
      setAside: row.set_aside,
      ...(row.last_sent_at === null ? {} : { lastSentAt: row.last_sent_at }),
      ...(row.last_error === null ? {} : { lastError: row.last_error }),
      ...(row.last_error_at === null ? {} : { lastErrorAt: row.last_error_at }),
      ...(row.attempts === 0 ? {} : { nextAttemptAt: row.next_attempt_at }),
    });
  }
  return status;
}
