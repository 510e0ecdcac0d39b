import { sql } from 'kysely';
import { newRawSecret } from '../../../auth/random.ts';
import { hashSecret } from '../../../auth/secret.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';

/** Whose ticket it is: of a login session, or of a user token; ids are raw. */
export interface TicketHolder {
  readonly userId: string;
  readonly loginSessionId: string | undefined;
  readonly tokenId: string | undefined;
}

/** Issues a ticket for a terminal; undefined where as many are valid as people may be in it. */
export async function issueTicket(
  tx: Database,
  sessionId: string,
  { userId, loginSessionId, tokenId }: TicketHolder,
  now: Date,
): Promise<string | undefined> {
  await sql`delete from terminal_tickets where session_id = ${sessionId} and expires_at <= ${now}`.execute(
    tx,
  );
  const ticket = newRawSecret();
  const { numAffectedRows } = await sql`
    insert into terminal_tickets (ticket_hash, session_id, user_id, login_session_id, token_id, expires_at)
      select ${hashSecret(ticket)}, ${sessionId}, ${userId}, ${loginSessionId ?? null}, ${tokenId ?? null}, ${new Date(now.getTime() + amounts.terminalTicket.max * 1000)}
      where (select count(*) from terminal_tickets where session_id = ${sessionId}) < ${amounts.terminalPeople.max}`.execute(
    tx,
  );
  return numAffectedRows === 1n ? ticket : undefined;
}

/** Takes a ticket, once, of the one who asked for it; false if there is no such one. */
export async function takeTicket(
  tx: Database,
  sessionId: string,
  ticket: string,
  { userId, loginSessionId, tokenId }: TicketHolder,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from terminal_tickets where ticket_hash = ${hashSecret(ticket)} and session_id = ${sessionId} and user_id = ${userId}
      and login_session_id is not distinct from ${loginSessionId ?? null}::text and token_id is not distinct from ${tokenId ?? null}::text
      and expires_at > ${now}`.execute(tx);
  return numAffectedRows === 1n;
}
