import { sql } from 'kysely';
import { parseStatement, publicKeyText } from '../../../auth/seal-statement.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { existingSigningKey, readStatement } from './audit-seals.ts';
import type { KeyContext } from '../../instance/index.ts';
import { checkSeals, type AuditLogProblem, type AuditCheckProgress } from './check-seals.ts';
import { lastPrunedSeal } from './audit-log-pruning.ts';

/** How many seals one portion of a check covers: some 300 ms of work for the database. */
const sealsAtOnce = 8;

/** The result of a check of the audit log. */
export interface AuditVerdict {
  /** The newest seal. */
  readonly seals: number;
  /** The last seal that was removed because of its age; 0 for none. */
  readonly prunedSeal?: number;
  readonly rows: number;
  /** When the last seal was made. */
  readonly sealedAt?: string;
  readonly publicKey?: string;
  readonly problem?: AuditLogProblem;
}

/** Starts a check, unless one is running; the result of the last one is replaced. */
export async function requestAuditLogCheck(tx: Database, now: Date): Promise<void> {
  await sql`
    insert into audit_checks (requested_at, seals) select ${now}, coalesce(max(seal), 0) from audit_seals
    on conflict (is_only) do update set requested_at = excluded.requested_at, seals = excluded.seals, checked_seals = 0, checked_rows = 0,
      finished_at = null, sentence = null, is_intact = null
    where audit_checks.finished_at is not null`.execute(tx);
}

/** What a portion of a check found: the verdict on everything up to its end. */
export interface CheckedPortion {
  readonly isComplete: boolean;
  readonly verdict: AuditVerdict;
}

/** Checks the next portion of a running check; undefined where none is running, or another node works on it. */
export async function continueAuditLogCheck({
  tx,
  vault,
}: Omit<KeyContext, 'now'>): Promise<CheckedPortion | undefined> {
  const check = await tx
    .selectFrom('audit_checks')
    .select(['checked_seals', 'checked_rows'])
    .where('finished_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (check === undefined) return undefined;
  const key = await existingSigningKey({ tx, vault });
  const progress: AuditCheckProgress =
    key === undefined
      ? { seal: 0, rows: 0, isComplete: true }
      : await checkSeals(tx, key, check.checked_seals, sealsAtOnce);
  const { seal, isComplete, problem } = progress;
  const rows = check.checked_rows + progress.rows;
  await tx.updateTable('audit_checks').set({ checked_seals: seal, checked_rows: rows }).execute();
  const last = isComplete ? await readStatement(tx) : undefined;
  const verdict = {
    seals: seal,
    prunedSeal: await lastPrunedSeal(tx),
    rows,
    ...(last === undefined ? {} : { sealedAt: parseStatement(last).sealedAt }),
    ...(key === undefined ? {} : { publicKey: publicKeyText(key) }),
    ...(problem === undefined ? {} : { problem }),
  };
  return { isComplete, verdict };
}

/** Ends the running check with its result in a sentence, and whether everything fits. */
export async function finishAuditLogCheck(
  tx: Database,
  now: Date,
  { sentence, isIntact }: { readonly sentence: string; readonly isIntact: boolean },
): Promise<void> {
  const result = { finished_at: now, sentence, is_intact: isIntact };
  await tx.updateTable('audit_checks').set(result).where('finished_at', 'is', null).execute();
}
