import type { Actor, TerminalEnd, TerminalPolicy, TerminalState } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { notFound } from '../../../auth/actors.ts';
import { shownName } from '../../devices/index.ts';

/** A terminal as it is stored; ids are raw. */
export interface SessionRow {
  readonly session_id: string;
  readonly project_id: string;
  readonly device_id: string;
  readonly device_name: string | null;
  readonly opened_by: Actor;
  readonly opener_id: string;
  readonly device_user: string | null;
  readonly reason: string | null;
  readonly state: TerminalState;
  readonly approval: TerminalPolicy['approval'];
  readonly recording: TerminalPolicy['recording'];
  readonly opened_at: string;
  readonly decided_by: Actor | null;
  readonly decided_at: string | null;
  readonly node_id: string | null;
  readonly started_at: string | null;
  readonly end_wanted_by: Actor | null;
  readonly ended_at: string | null;
  readonly end_reason: TerminalEnd | null;
  readonly ended_by: Actor | null;
  readonly exit_status: number | null;
  readonly sealed: Buffer | null;
  readonly sealed_under: string | null;
  readonly recorded_bytes: number;
  readonly stored_bytes: number;
  readonly gaps: number;
  readonly waived_by: Actor | null;
  readonly waived_at: string | null;
  readonly waiver_reason: string | null;
  readonly digest: Buffer | null;
}

/** By their names: a column of a newer release must not change the results of prepared statements. */
const columns = sql.raw(
  `session_id, project_id, device_id, device_name, opened_by, opener_id, device_user, reason, state, approval, recording, opened_at, decided_by, decided_at, node_id, started_at, end_wanted_by, ended_at, end_reason, ended_by, exit_status, sealed, sealed_under, recorded_bytes, stored_bytes, gaps, waived_by, waived_at, waiver_reason, digest`,
);

/** Locks a terminal until the transaction ends. */
export async function lockSession(tx: Database, sessionId: string): Promise<SessionRow> {
  const { rows } = await sql<SessionRow>`
    select ${columns} from terminal_sessions where session_id = ${sessionId} for no key update`.execute(tx);
  if (rows[0] === undefined) throw notFound('Terminal');
  return rows[0];
}

/** Reads a terminal; undefined if there is none. */
export async function readSession(tx: Database, sessionId: string): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    select ${columns} from terminal_sessions where session_id = ${sessionId}`.execute(tx);
  return rows[0];
}

/** A terminal that is about to be opened. */
export interface NewSession {
  readonly sessionId: string;
  readonly projectId: string;
  readonly deviceId: string;
  readonly actor: Actor;
  readonly openerId: string;
  readonly user: string | undefined;
  readonly reason: string | undefined;
  readonly policy: TerminalPolicy;
  readonly now: Date;
}

/** Adds a terminal, which waits where the policy wants an approval. */
export async function addSession(tx: Database, session: NewSession): Promise<TerminalState> {
  const { sessionId, projectId, deviceId, actor, openerId, user, reason, policy, now } = session;
  const state = policy.approval === 'Approve' ? 'Waiting' : 'Open';
  await sql`
    insert into terminal_sessions (session_id, project_id, device_id, device_name, opened_by, opener_id, device_user, reason, state, approval, recording, opened_at)
      select ${sessionId}, ${projectId}, d.device_id, ${shownName}, ${JSON.stringify(actor)}::jsonb, ${openerId}, ${user ?? null}, ${reason ?? null}, ${state},
        ${policy.approval}, ${policy.recording}, ${now}
      from devices d where d.device_id = ${deviceId}`.execute(tx);
  return state;
}

/** Counts the terminals of a device that have not ended. */
export async function countSessions(tx: Database, deviceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from terminal_sessions where device_id = ${deviceId} and ended_at is null`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** How a terminal ended. */
export interface SessionEnd {
  readonly reason: TerminalEnd;
  readonly by?: Actor | undefined;
  readonly exitStatus?: number | undefined;
}

/** Ends a terminal; undefined if it has ended or is none. */
export async function endSession(
  tx: Database,
  sessionId: string,
  { reason, by, exitStatus }: SessionEnd,
  now: Date,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    update terminal_sessions set state = 'Ended', ended_at = ${now}, end_reason = ${reason},
      ended_by = ${by === undefined ? null : JSON.stringify(by)}::jsonb, exit_status = ${exitStatus ?? null}
    where session_id = ${sessionId} and ended_at is null returning ${columns}`.execute(tx);
  await sql`delete from terminal_tickets where session_id = ${sessionId}`.execute(tx);
  return rows[0];
}
