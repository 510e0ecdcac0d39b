import { sql } from 'kysely';
import { parseStatement, publicKeyText } from '../auth/seal-statement.ts';
import type { Database } from '../db/connect.ts';
import { existingSigningKey, readStatement } from './audit-seals.ts';
import type { KeyContext } from './instance-keys.ts';
import { checkSeals, type RecordProgress } from './check-seals.ts';
import { lastCutSeal } from './record-cuts.ts';
import { verdictSentence } from './record-sentences.ts';

/** How many seals one portion of a check covers: some 300 ms of work for the database. */
const sealsAtOnce = 8;

/** Starts a check, unless one is running; the result of the last one is replaced. */
export async function requestRecordCheck(tx: Database, now: Date): Promise<void> {
  await sql`
    insert into audit_checks (requested_at, seals) select ${now}, coalesce(max(seal), 0) from audit_seals
    on conflict (is_only) do update set requested_at = excluded.requested_at, seals = excluded.seals, checked_seals = 0, checked_rows = 0,
      finished_at = null, sentence = null, is_intact = null
    where audit_checks.finished_at is not null`.execute(tx);
}

/** Checks the next portion of a running check. Complete where none is running, or another node works on it. */
export async function continueRecordCheck({ tx, now, vault }: KeyContext): Promise<{ isComplete: boolean }> {
  const check = await tx
    .selectFrom('audit_checks')
    .select(['checked_seals', 'checked_rows'])
    .where('finished_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (check === undefined) return { isComplete: true };
  const key = await existingSigningKey({ tx, vault });
  const progress: RecordProgress =
    key === undefined
      ? { seal: 0, rows: 0, isComplete: true }
      : await checkSeals(tx, key, check.checked_seals, sealsAtOnce);
  const { seal, isComplete, problem } = progress;
  const rows = check.checked_rows + progress.rows;
  const last = isComplete ? await readStatement(tx) : undefined;
  const sentence = verdictSentence({
    seals: seal,
    cutSeal: await lastCutSeal(tx),
    rows,
    ...(last === undefined ? {} : { sealedAt: parseStatement(last).sealedAt }),
    ...(key === undefined ? {} : { publicKey: publicKeyText(key) }),
    ...(problem === undefined ? {} : { problem }),
  });
  const result = isComplete ? { finished_at: now, sentence, is_intact: problem === undefined } : {};
  await tx
    .updateTable('audit_checks')
    .set({ checked_seals: seal, checked_rows: rows, ...result })
    .execute();
  return { isComplete };
}
