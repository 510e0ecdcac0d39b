import type { Database } from '../../../platform/db/connect.ts';

/** The settings with which an administrator last signed in at the provider. */
export async function readTest(tx: Database) {
  return tx.selectFrom('provider_tests').select(['issuer', 'client_id', 'tested_at']).executeTakeFirst();
}

/** Notes such a sign-in, instead of the one before. */
export async function noteTest(tx: Database, issuer: string, clientId: string, now: Date): Promise<void> {
  await tx.deleteFrom('provider_tests').execute();
  await tx
    .insertInto('provider_tests')
    .values({ issuer, client_id: clientId, tested_at: now })
    .onConflict((conflict) => conflict.columns(['issuer', 'client_id']).doUpdateSet({ tested_at: now }))
    .execute();
}
