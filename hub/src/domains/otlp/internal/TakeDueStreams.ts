import type { Internal } from '../../../calls/handler.ts';
import { newRawId } from '../../../auth/random.ts';
import { takeDueStreams } from '../sql/due-streams.ts';
import type { TakenStream } from '../sql/export-progress.ts';
import type { Exported, OtlpCursor } from '../sql/export-sources.ts';
import { headersOf, type Headers } from '../sql/exports.ts';

/** A stream that this node exports now; the id is raw. */
export interface ExportTask extends TakenStream, Exported {
  readonly endpoint: string;
  readonly headers: Headers;
  readonly cursor: OtlpCursor;
  /** Failed attempts in a row. */
  readonly attempts: number;
}

/** Takes streams that have records to export, as many as `most`. */
export const TakeDueStreams: Internal<{ readonly most: number }, ExportTask[]> = {
  name: 'otlp_TakeDueStreams',
  isOneStatement: () => true,

  async run({ tx, input, now, vault }) {
    const lease = newRawId();
    const due = await takeDueStreams(tx, { lease, most: input.most, now });
    return due.map((row) => ({
      projectId: row.project_id,
      stream: row.stream,
      lease,
      endpoint: row.endpoint,
      headers: headersOf(vault, row),
      minSeverity: row.min_severity,
      filter: row.filter,
      cursor: { position: row.cursor_position, device: row.cursor_device, id: row.cursor_id },
      attempts: row.attempts,
    }));
  },
};
