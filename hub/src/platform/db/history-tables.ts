import type { DeviceEventSeverity } from '@corral/contract';
import type { JsonColumn, TimestampColumn } from './tables.ts';

/** How many devices reported which value of a field that is a version; of the most frequent values, and of all others. */
export interface ReportedVersions {
  readonly field: string;
  readonly values: readonly { readonly value: string; readonly devices: number }[];
  readonly others: number;
}

/** What was the case in a minute, an hour or a day in UTC; the last of each figure, and sums of events. */
interface History {
  /** When the step begins. */
  at: TimestampColumn;
  kind: 'Project' | 'Node' | 'Instance' | 'Repository';
  /** The raw id of a project or repository, the name or else the raw id of a node, or nothing. */
  subject: string;
  step_secs: number;
  /** How long a hub was there; only of the instance, for all. */
  watched_secs: number | null;
  /** Connected devices, or the connections of a node; null where nobody looked. */
  connected: number | null;
  connected_low: number | null;
  connected_high: number | null;
  disconnected: number | null;
  waiting: number | null;
  users: number | null;
  projects: number | null;
  stored_bytes: number | null;
  /** Of repositories in hours and days; null where no node counted. */
  served_bytes: number | null;
  memory_bytes: number | null;
  load: number | null;
  /** Events that happened in the step; null for none. */
  traces: number | null;
  debugs: number | null;
  infos: number | null;
  warnings: number | null;
  errors: number | null;
  criticals: number | null;
  /** Of projects in hours and days; null where nobody looked. */
  versions: JsonColumn<readonly ReportedVersions[]> | null;
  /** When the demo began that invented the row; null of what was seen. */
  invented_until: TimestampColumn | null;
}

/** Stored events by the minute in which they happened, that are not added to the history yet. Written with the events. */
interface EventCountChanges {
  project_id: string;
  minute: TimestampColumn;
  severity: DeviceEventSeverity;
  events: number;
}

/** The tables of what was the case over time. */
export interface HistoryTables {
  history: History;
  event_count_changes: EventCountChanges;
}
