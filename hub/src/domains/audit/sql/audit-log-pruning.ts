import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import {
  digestOf,
  isSigned,
  parseStatement,
  signText,
  type AuditLogCursor,
  type SignedStatement,
} from '../../../auth/seal-statement.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { existingSigningKey } from './audit-seals.ts';
import type { KeyContext } from '../../instance/index.ts';

/** The end of a seal: what the next one continues. */
export interface SealEnd {
  readonly seal: number;
  /** In hex. */
  readonly digest: string;
  readonly lastAction: AuditLogCursor;
  readonly lastEvent: AuditLogCursor;
}

/** The signed statement about a removal: the end of the last seal that was removed, and when. Its fields are stored and logged, so their names stay. */
interface PruneStatement extends SealEnd {
  readonly what: 'cut';
  /** RFC 3339, UTC. */
  readonly cutAt: string;
}

/** The end of a seal by its statement. */
export function endOfSeal(signed: SignedStatement): SealEnd {
  const { seal, lastAction, lastEvent } = parseStatement(signed);
  return { seal, digest: digestOf(signed), lastAction, lastEvent };
}

/** The end of the last seal that was removed; undefined while the log is whole, and `forged` where the key did not sign the statement. */
export async function readPruning(db: Database, key: KeyObject): Promise<SealEnd | 'forged' | undefined> {
  const stored = await db
    .selectFrom('audit_cuts')
    .select(['seal', 'statement', 'signature'])
    .orderBy('seal', 'desc')
    .executeTakeFirst();
  if (stored === undefined) return undefined;
  if (!isSigned(key, stored.statement, stored.signature)) return 'forged';
  const parsed = JSON.parse(stored.statement) as PruneStatement;
  return parsed.what === 'cut' && parsed.seal === stored.seal ? parsed : 'forged';
}

/** The last seal that was removed; 0 while the log is whole. */
export async function lastPrunedSeal(db: Database): Promise<number> {
  const row = await db.selectFrom('audit_cuts').select('seal').orderBy('seal', 'desc').executeTakeFirst();
  return row?.seal ?? 0;
}

/** What a run removed, and whether more is old enough. */
export interface PruneResult {
  readonly rows: number;
  readonly statement: SignedStatement | undefined;
  readonly isComplete: boolean;
}

/** Seals that one transaction removes: at most some 130,000 rows, and usually a few hundred. */
const sealsAtOnce = 64;
const nothing: PruneResult = { rows: 0, statement: undefined, isComplete: true };

/** Removes the oldest seals that were made before a time, with their rows; never the newest seal, which the next one continues. */
export async function pruneAuditLog(keyContext: KeyContext, before: Date): Promise<PruneResult> {
  const { tx, now } = keyContext;
  const { rows: oldest } = await sql<SignedStatement>`
    select statement, signature from audit_seals where seal < (select max(seal) from audit_seals)
    order by seal limit ${sealsAtOnce}`.execute(tx);
  const kept = oldest.findIndex((signed) => Date.parse(parseStatement(signed).sealedAt) >= before.getTime());
  const last = oldest.at(kept === -1 ? -1 : kept - 1);
  const key = await existingSigningKey(keyContext);
  if (last === undefined || kept === 0 || key === undefined) return nothing;
  const pruneStatement: PruneStatement = { what: 'cut', cutAt: now.toISOString(), ...endOfSeal(last) };
  const text = JSON.stringify(pruneStatement);
  const statement = { statement: text, signature: signText(key, text) };
  await tx
    .insertInto('audit_cuts')
    .values({ seal: pruneStatement.seal, ...statement })
    .execute();
  const { rows } = await sql<{ rows: number }>`select cut_audit_log(${pruneStatement.seal}) as rows`.execute(
    tx,
  );
  return { rows: rows[0]?.rows ?? 0, statement, isComplete: kept !== -1 || oldest.length < sealsAtOnce };
}
