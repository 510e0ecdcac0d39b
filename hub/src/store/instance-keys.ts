import { randomBytes } from 'node:crypto';
import type { Database } from '../db/connect.ts';

/** The 256-bit key that the instance keeps for a purpose; made on first use. */
export async function instanceKey(tx: Database, purpose: string, now: Date): Promise<Buffer> {
  const kept = await existingInstanceKey(tx, purpose);
  if (kept !== undefined) return kept;
  await tx
    .insertInto('instance_keys')
    .values({ purpose, key: randomBytes(32), created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await existingInstanceKey(tx, purpose);
  if (made === undefined) throw new Error(`The key for ${purpose} vanished.`);
  return made;
}

/** The key for a purpose, if there is one yet: without one nothing can have been made with it. */
export async function existingInstanceKey(tx: Database, purpose: string): Promise<Buffer | undefined> {
  const row = await tx
    .selectFrom('instance_keys')
    .select('key')
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return row?.key;
}
