import type { Actor, TerminalEnd, TerminalPolicy, TerminalState } from '@corral/contract';
import type { Generated } from 'kysely';
import type { JsonColumn, TimestampColumn } from './tables.ts';

interface TerminalSessions {
  session_id: string;
  project_id: string;
  /** May be deleted meanwhile: what was recorded stays. */
  device_id: string;
  device_name: string | null;
  opened_by: JsonColumn<Actor>;
  opener_id: string;
  /** The user on the device; null for its default. */
  device_user: string | null;
  reason: string | null;
  state: TerminalState;
  /** The policy when it was opened. */
  approval: TerminalPolicy['approval'];
  recording: TerminalPolicy['recording'];
  opened_at: TimestampColumn;
  /** Who approved or refused it. */
  decided_by: JsonColumn<Actor> | null;
  decided_at: TimestampColumn | null;
  /** The node that serves it: that of its device. */
  node_id: string | null;
  started_at: TimestampColumn | null;
  /** Who asked that node to end it. */
  end_wanted_by: JsonColumn<Actor> | null;
  ended_at: TimestampColumn | null;
  end_reason: TerminalEnd | null;
  ended_by: JsonColumn<Actor> | null;
  exit_status: number | null;
  /** The key of its chunks. */
  sealed: Buffer | null;
  sealed_under: string | null;
  recorded_bytes: Generated<number>;
  /** As compressed and sealed. */
  stored_bytes: Generated<number>;
  gaps: Generated<number>;
  /** Who let it go on where output cannot be recorded. */
  waived_by: JsonColumn<Actor> | null;
  waived_at: TimestampColumn | null;
  waiver_reason: string | null;
  /** That of the last chunk. */
  digest: Buffer | null;
}

interface TerminalTickets {
  ticket_hash: Buffer;
  session_id: string;
  user_id: string;
  /** The login session or the user token that asked for it. */
  login_session_id: string | null;
  token_id: string | null;
  expires_at: TimestampColumn;
}

/** Parts of recordings. */
interface TerminalChunks {
  session_id: string;
  number: number;
  sealed: Buffer;
  /** SHA-256 of the digest before it, of which the first is 32 zeros, and the part as it was compressed. */
  digest: Buffer;
}

/** The tables of terminals. */
export interface TerminalTables {
  terminal_sessions: TerminalSessions;
  terminal_tickets: TerminalTickets;
  terminal_chunks: TerminalChunks;
}
