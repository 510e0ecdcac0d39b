import type { KeyObject } from 'node:crypto';
import { parseStatement, publicKeyText } from '../auth/seal-statement.ts';
import type { Database } from '../platform/db/connect.ts';
import { readStatement, checkSeals, lastPrunedSeal, type AuditVerdict } from '../domains/audit/index.ts';

const sealsPerBatch = 8;

/** Checks all rows of the audit log against its seals, with the key that signed them; undefined before the first seal. */
export async function verifyAuditLog(db: Database, key: KeyObject | undefined): Promise<AuditVerdict> {
  const newest = await readStatement(db);
  if (key === undefined) {
    if (newest !== undefined) throw new Error('The key that signed the seals is missing in the database.');
    return { seals: 0, rows: 0 };
  }
  return {
    ...(await checkAll(db, key)),
    prunedSeal: await lastPrunedSeal(db),
    publicKey: publicKeyText(key),
    ...(newest === undefined ? {} : { sealedAt: parseStatement(newest).sealedAt }),
  };
}

async function checkAll(db: Database, key: KeyObject): Promise<AuditVerdict> {
  for (let seals = 0, rows = 0; ;) {
    const { seal, rows: more, isComplete, problem } = await checkSeals(db, key, seals, sealsPerBatch);
    seals = seal;
    rows += more;
    if (isComplete) return { seals, rows, ...(problem === undefined ? {} : { problem }) };
  }
}
