import { sql } from 'kysely';
import type { Database } from '../../platform/db/connect.ts';

/**
 * Has nothing sent that waited when the backup was made: it was sent since, or is about what is long over. Owners see which messages, and can send them by hand. What fires and was told is
 * told when it ends, since receivers show it until then; reminders of it begin anew.
 */
export async function forgetWaiting(tx: Database): Promise<void> {
  await sql`
    update webhook_messages set next_attempt_at = null, last_error = 'The hub was restored from a backup.'
    where next_attempt_at is not null`.execute(tx);
  await sql`delete from queued_mails where alert_message is not null`.execute(tx);
  await sql`update alerts set to_tell = null, reminded_at = now() where to_tell is not null or (is_told and ended_at is null)`.execute(
    tx,
  );
}
