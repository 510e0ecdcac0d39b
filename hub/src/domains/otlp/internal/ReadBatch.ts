import type { Internal } from '../../../calls/handler.ts';
import { oldestKept } from '../policy/backlog.ts';
import { logsRequest } from '../policy/logs-request.ts';
import type { Exported, OtlpCursor } from '../sql/export-sources.ts';
import { readRecords } from '../sql/exported-records.ts';

interface Given {
  readonly exported: Exported;
  readonly cursor: OtlpCursor;
  /** How many records are read at most. */
  readonly limit: number;
}

/** The next records of a stream, as they are sent. */
export interface Batch {
  /** The cursor behind them. */
  readonly cursor: OtlpCursor;
  /** How many were read. */
  readonly records: number;
  /** How many of them are sent. */
  readonly sent: number;
  /** How many have waited for too long. */
  readonly dropped: number;
  /** The size of all as they are stored. */
  readonly bytes: number;
  /** Logs as OTLP/HTTP has them in JSON. */
  readonly body: string;
}

/** Reads the next records of a stream. */
export const ReadBatch: Internal<Given, Batch> = {
  name: 'otlp_ReadBatch',
  isQuery: true,

  async run({ tx, input: { exported, cursor, limit }, now }) {
    const rows = await readRecords(tx, exported, cursor, { now, oldest: oldestKept(now), limit });
    const sent = rows.filter(({ fate }) => fate === 'Sent');
    const last = rows.at(-1);
    return {
      cursor: last === undefined ? cursor : { position: last.position, device: last.device, id: last.id },
      records: rows.length,
      sent: sent.length,
      dropped: rows.filter(({ fate }) => fate === 'Old').length,
      bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
      body: logsRequest(exported.projectId, exported.stream, sent),
    };
  },
};
