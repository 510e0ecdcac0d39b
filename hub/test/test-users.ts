import { randomBytes } from 'node:crypto';
import { ids, type ActionName, type Actor, type CallInput, type Id, type Output } from '@corral/contract';
import { sql } from 'kysely';
import { newRawId } from '../src/auth/random.ts';
import type { FreshExecutor } from './fresh-executor.ts';
import { system } from './fresh-executor.ts';

type User = Extract<Actor, { actor: 'User' }>;
type UserToken = Extract<Actor, { actor: 'UserToken' }>;

/** A password that satisfies every rule. */
export const validPassword = 'quiet harbour lantern 7';

/** Creates a user token through the hub and returns its actor. */
export async function createUserToken(hub: FreshExecutor, { userId }: User): Promise<UserToken> {
  const { tokenId } = await hub.as({ actor: 'User', kind: 'User', userId }, 'users_CreateUserToken', {
    userId,
  });
  return { actor: 'UserToken', kind: 'UserToken', userId, tokenId };
}

/** Tries to sign in as the HTTP login does. */
export function trySignIn(
  hub: FreshExecutor,
  email: string,
  password: string,
  more: { ip?: string; userAgent?: string; validForSecs?: number } = {},
): Promise<Output<'users_InitiateUserSession'>> {
  const { ip = '192.0.2.1', userAgent = 'Firefox', ...rest } = more;
  const input: CallInput<'users_InitiateUserSession'> = { email, password, userAgent, ...rest };
  return hub.as(system, 'users_InitiateUserSession', input, { ip });
}

/** Signs in and returns the session; throws when the credentials are refused. */
export async function signIn(
  hub: FreshExecutor,
  email: string,
  password: string,
  more?: Parameters<typeof trySignIn>[3],
): Promise<Extract<Output<'users_InitiateUserSession'>, { result: 'Created' }>> {
  const answer = await trySignIn(hub, email, password, more);
  if (answer.result !== 'Created') throw new Error(`${email} could not sign in`);
  return answer;
}

/** The audited statuses of an action, oldest first. */
export async function auditedStatuses(hub: FreshExecutor, name: ActionName): Promise<string[]> {
  const { rows } = await sql<{
    status: string;
  }>`select status from audit_actions where action = ${name} order by position, ctid`.execute(
    hub.database.db,
  );
  return rows.map((row) => row.status);
}

/** All rows of the audit log and the outbox as one text, to search for secrets. */
export async function auditText(hub: FreshExecutor): Promise<string> {
  const { rows } = await sql<{ row: string }>`
    select row_to_json(a)::text as row from audit_actions a union all
    select row_to_json(e)::text from audit_events e union all
    select row_to_json(o)::text from event_outbox o`.execute(hub.database.db);
  return rows.map(({ row }) => row).join('\n');
}

/** All rows of users, sessions, tokens, projects and members as one text, to detect changes. */
export async function userRowsText(hub: FreshExecutor): Promise<string> {
  const { rows } = await sql<{ row: string }>`
    select row_to_json(u)::text as row from users u union all
    select row_to_json(s)::text from user_sessions s union all
    select row_to_json(t)::text from user_tokens t union all
    select row_to_json(p)::text from projects p union all
    select row_to_json(m)::text from project_members m order by row`.execute(hub.database.db);
  return rows.map(({ row }) => row).join('\n');
}

/** Inserts a device into a project and returns its id. */
export async function insertDevice(hub: FreshExecutor, projectId: Id<'project'>): Promise<Id<'device'>> {
  const rawId = newRawId();
  await hub.database.db
    .insertInto('devices')
    .values({
      device_id: rawId,
      project_id: ids.project.raw(projectId),
      fingerprint_id: newRawId(),
      fingerprint_hash: randomBytes(32),
      enrolled_by: null,
      name: null,
      metadata: '{}',
      created_at: hub.now(),
    })
    .execute();
  return ids.device.of(rawId);
}
