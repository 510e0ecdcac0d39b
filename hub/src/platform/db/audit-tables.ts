import type { AuditLogActionStatus, Json } from '@corral/contract';
import type { Generated } from 'kysely';
import type { JsonColumn, TimestampColumn } from './tables.ts';

/** Append-only, as the events, by the trigger refuse_audit_change: a command is ended once, and only cut_audit_log deletes. */
interface AuditActions {
  action_id: string;
  actor: JsonColumn;
  action: string;
  data: JsonColumn<Record<string, Json>>;
  status: AuditLogActionStatus;
  node_id: string | null;
  created_at: TimestampColumn;
  /** The number of the transaction that ended the command; written by the trigger place_ended_action. */
  position: Generated<number>;
}

interface AuditEvents {
  event_id: string;
  actor: JsonColumn;
  event: string;
  data: JsonColumn;
  action_id: string | null;
  job_id: string | null;
  created_at: TimestampColumn;
  /** The number of the transaction that wrote it, by default audit_position. */
  position: Generated<number>;
}

interface AuditEventEntities {
  entity_kind: 'user' | 'project' | 'repository' | 'device';
  entity_id: string;
  event_id: string;
  created_at: TimestampColumn;
}

/** Signed statements over rows of the audit log, each over the one before. */
interface AuditSeals {
  /** 1, 2, 3, … */
  seal: number;
  /** JSON; see `SealStatement`. */
  statement: string;
  signature: Buffer;
  /** The rows of the seal, in the order of their positions. */
  action_ids: string[];
  event_ids: string[];
  /** The SHA-256 of each row: those of the actions, then those of the events. */
  leaves: Buffer;
  /** The end of its events, to find the seal of an event. */
  last_event_position: number;
  last_event_id: string;
}

/** Where the log begins, after older seals and their rows were removed; at most one row stays. */
interface AuditCuts {
  /** The last seal that was removed. */
  seal: number;
  /** JSON; see `PruneStatement`. */
  statement: string;
  signature: Buffer;
}

/** The last check of the audit log; at most one row. */
interface AuditChecks {
  is_only: Generated<boolean>;
  requested_at: TimestampColumn;
  /** How many seals there were when it was requested. */
  seals: number;
  checked_seals: Generated<number>;
  checked_rows: Generated<number>;
  finished_at: TimestampColumn | null;
  /** The result, for people. */
  sentence: string | null;
  is_intact: boolean | null;
}

/** The tables of the audit log. */
export interface AuditTables {
  audit_actions: AuditActions;
  audit_events: AuditEvents;
  audit_event_entities: AuditEventEntities;
  audit_seals: AuditSeals;
  audit_checks: AuditChecks;
  audit_cuts: AuditCuts;
}
