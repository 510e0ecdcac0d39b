import type { DeviceEventSeverity, OtlpStream } from '@corral/contract';
import type { Generated } from 'kysely';
import type { TimestampColumn } from './tables.ts';

interface OtlpExports {
  project_id: string;
  is_enabled: boolean;
  endpoint: string | null;
  /** The headers as a JSON object. */
  sealed: Buffer | null;
  sealed_under: string | null;
  streams: OtlpStream[];
  min_severity: DeviceEventSeverity | null;
  filter: string | null;
}

/** How far each stream of an export has come. */
interface OtlpStreams {
  project_id: string;
  stream: OtlpStream;
  /** The last record that needs not be sent any more; see `OtlpCursor`. */
  cursor_position: number;
  cursor_device: Generated<string>;
  cursor_id: Generated<string>;
  sent: Generated<number>;
  dropped: Generated<number>;
  set_aside: Generated<number>;
  last_sent_at: TimestampColumn | null;
  /** A sentence; null since the last batch was accepted. */
  last_error: string | null;
  last_error_at: TimestampColumn | null;
  /** Failed attempts in a row. */
  attempts: Generated<number>;
  next_attempt_at: TimestampColumn;
  /** Stands for the node that exports the stream now. */
  lease: string | null;
  leased_until: TimestampColumn | null;
  /** Up to where the size of what waits was measured; null where nothing was. */
  measured_position: number | null;
  measured_device: string | null;
  measured_id: string | null;
  /** The size of what waits between the two. */
  measured_bytes: Generated<number>;
}

/** The tables of exports over OTLP. */
export interface OtlpTables {
  otlp_exports: OtlpExports;
  otlp_streams: OtlpStreams;
}
