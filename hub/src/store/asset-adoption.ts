import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/** With one sweep a day, the last try comes two weeks after the first. */
const maxTries = 8;

/** Whether the hub may try to finish an upload. */
export interface AdoptionTry {
  readonly mayTry: boolean;
  /** Whether it is the last try, until the asset is uploaded again. */
  readonly isLast: boolean;
}

/** Counts a try before it begins, so that a try that crashes the process counts too. The pause after a try is two hours at first, and doubles. */
export async function beginAdoption(tx: Database, assetId: string, now: Date): Promise<AdoptionTry> {
  const { rows } = await sql<{ tries: number }>`
    update assets set adoption_tries = adoption_tries + 1,
      adopt_after = ${now}::timestamptz + make_interval(hours => (2 ^ (adoption_tries + 1))::integer)
    where asset_id = ${assetId} and status = 'Dangling' and adoption_tries < ${maxTries}
      and coalesce(adopt_after <= ${now}, true)
    returning adoption_tries as tries`.execute(tx);
  const [begun] = rows;
  return { mayTry: begun !== undefined, isLast: begun?.tries === maxTries };
}
