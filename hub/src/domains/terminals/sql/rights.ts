import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { TicketHolder } from './tickets.ts';

/** Somebody in a terminal, or about to enter it; ids are raw. */
export interface Seated extends TicketHolder {
  /** Names it in the answer. */
  readonly key: string;
  readonly sessionId: string;
}

/** What somebody may do in a terminal. */
export interface SeatedRights {
  readonly key: string;
  readonly name: string;
  readonly isOpener: boolean;
  /** Whether it counts as the second person: an owner by session, who is a member and did not open it. */
  readonly isApprover: boolean;
  /** Whether it may let the terminal go on where output cannot be recorded: an owner by session, and another than who opened it where it needs a second person. */
  readonly mayWaive: boolean;
}

/** SQL of whether a person owns a project as a member of it, by raw ids; administrators and service accounts do not count. */
export const ownsAsMember = (projectId: string, userId: string): RawBuilder<boolean> => sql`exists (
  select 1 from project_members m join users u using (user_id)
  where m.project_id = ${projectId} and m.user_id = ${userId} and m.is_owner and u.disabled_at is null and not u.is_service)`;

/** SQL for whether somebody has the rights of an administrator. */
const isAdmin = sql`(u.is_admin and (g.token_id is null or t.is_administrator))`;
const isOwner = sql`(coalesce(m.is_owner, false) or ${isAdmin})`;
const access = sql`coalesce(p.terminal_policy ->> 'access', 'Owners')`;

/** SQL that joins the people `g` with what their rights come from. */
const people = sql`
  join users u on u.user_id = g.user_id and u.disabled_at is null
  left join user_tokens t on t.token_id = g.token_id and t.user_id = u.user_id
  left join project_members m on m.project_id = p.project_id and m.user_id = u.user_id`;

/** SQL for whether they are still in the project `p`, by the session or the token that they had. */
const areStillIn = (now: Date) => sql`(m.user_id is not null or ${isAdmin})
  and (g.login_id is null or exists (
    select 1 from user_sessions l where l.session_id = g.login_id and l.user_id = u.user_id
      and l.expires_at > ${now} and l.last_used_at + l.idle_timeout_secs * interval '1 second' > ${now}))
  and (g.token_id is null or (coalesce((p.terminal_policy ->> 'allowsTokens')::boolean, false)
    and not t.is_read_only and coalesce('operate' = any(t.verbs), true) and coalesce(t.expires_at > ${now}, t.token_id is not null)
    and (t.project_ids is null or p.project_id = any(t.project_ids))))`;

/** Whether somebody may fetch and put files of a device, by its raw id, now. */
export async function mayTransferFiles(
  tx: Database,
  { userId, loginSessionId, tokenId }: TicketHolder,
  deviceId: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from (select ${userId}::text as user_id, ${loginSessionId ?? null}::text as login_id, ${tokenId ?? null}::text as token_id) g
    join devices d on d.device_id = ${deviceId} join projects p using (project_id) ${people}
    where ${areStillIn(now)} and (${isOwner} or ${access} = 'Members')
      and ${access} <> 'Off' and coalesce(p.terminal_policy ->> 'approval', 'None') = 'None' and coalesce(p.terminal_policy ->> 'recording', '') <> 'Required'`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Reads the rights of those who may be in their terminals now; who is missing may not. */
export async function readRights(
  tx: Database,
  seated: readonly Seated[],
  now: Date,
): Promise<readonly SeatedRights[]> {
  if (seated.length === 0) return [];
  const given = JSON.stringify(
    seated.map(({ key, sessionId, userId, loginSessionId, tokenId }) => ({
      key,
      session_id: sessionId,
      user_id: userId,
      login_id: loginSessionId ?? null,
      token_id: tokenId ?? null,
    })),
  );
  const { rows } = await sql<SeatedRights>`
    select g.key, coalesce(u.display_name, u.email) as name, s.opener_id = u.user_id as "isOpener",
      coalesce(m.is_owner, false) and g.token_id is null and not u.is_service and s.opener_id <> u.user_id as "isApprover",
      ${isOwner} and g.token_id is null and (s.approval = 'None' or (coalesce(m.is_owner, false) and s.opener_id <> u.user_id)) as "mayWaive"
    from jsonb_to_recordset(${given}::jsonb) as g(key text, session_id text, user_id text, login_id text, token_id text)
    join terminal_sessions s on s.session_id = g.session_id
    join devices d on d.device_id = s.device_id and d.project_id = s.project_id
    join projects p on p.project_id = s.project_id
    ${people}
    where ${areStillIn(now)}
      and ${access} <> 'Off' and (${isOwner} or (${access} = 'Members' and s.opener_id = u.user_id))`.execute(
    tx,
  );
  return rows;
}
