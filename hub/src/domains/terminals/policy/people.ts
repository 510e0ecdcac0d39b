import { ids, type Actor, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { mustBePerson } from '../../../auth/actors.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { mustSeeTerminal, type ProjectAccess } from '../../projects/index.ts';
import { ownsAsMember } from '../sql/rights.ts';
import type { TicketHolder } from '../sql/tickets.ts';

/** The rights of somebody in the project of a terminal; ids are raw. */
export interface TerminalAccess extends ProjectAccess {
  readonly sessionId: string;
  readonly userId: string;
}

/** Requires a person who may see the project of a terminal. */
export async function mustSeeSession(
  tx: Database,
  actor: Actor,
  sessionId: Id<'terminal'>,
): Promise<TerminalAccess> {
  const { userId } = mustBePerson(actor);
  const access = await mustSeeTerminal(tx, actor, sessionId);
  return { ...access, sessionId: ids.terminal.raw(sessionId), userId: ids.user.raw(userId) };
}

/** Whose ticket a call gets. */
export function holderOf(actor: Actor, { sessionId }: { readonly sessionId?: string }): TicketHolder {
  const person = mustBePerson(actor);
  const userId = ids.user.raw(person.userId);
  if (person.actor === 'UserToken')
    return { userId, loginSessionId: undefined, tokenId: ids.userTokenId.raw(person.tokenId) };
  return { userId, loginSessionId: sessionId, tokenId: undefined };
}

/** Whether a user, by its raw id, is a service account. */
export async function isServiceAccount(tx: Database, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from users where user_id = ${userId} and is_service`.execute(tx);
  return rows.length > 0;
}

/** Whether a person, by its raw id, owns a project as a member of it: administrators do not count. */
export async function isMemberWhoOwns(tx: Database, projectId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`select 1 where ${ownsAsMember(projectId, userId)}`.execute(tx);
  return rows.length > 0;
}
