import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import {
  digestOf,
  isSigned,
  parseStatement,
  signText,
  type RecordCursor,
  type SignedStatement,
} from '../auth/seal-statement.ts';
import type { Database } from '../db/connect.ts';
import { existingSigningKey } from './audit-seals.ts';
import type { KeyContext } from './instance-keys.ts';

/** The end of a seal: what the next one continues. */
export interface SealEnd {
  readonly seal: number;
  /** In hex. */
  readonly digest: string;
  readonly lastAction: RecordCursor;
  readonly lastEvent: RecordCursor;
}

/** The statement of a cut: the end of the last seal that was removed, and when. */
interface CutStatement extends SealEnd {
  readonly what: 'cut';
  /** RFC 3339, UTC. */
  readonly cutAt: string;
}

/** The end of a seal by its statement. */
export function endOfSeal(signed: SignedStatement): SealEnd {
  const { seal, lastAction, lastEvent } = parseStatement(signed);
  return { seal, digest: digestOf(signed), lastAction, lastEvent };
}

/** The end of the last seal that was removed; undefined while the log is whole, and `forged` where the key did not sign the cut. */
export async function readCut(db: Database, key: KeyObject): Promise<SealEnd | 'forged' | undefined> {
  const stored = await db
    .selectFrom('audit_cuts')
    .select(['seal', 'statement', 'signature'])
    .orderBy('seal', 'desc')
    .executeTakeFirst();
  if (stored === undefined) return undefined;
  if (!isSigned(key, stored.statement, stored.signature)) return 'forged';
  const parsed = JSON.parse(stored.statement) as CutStatement;
  return parsed.what === 'cut' && parsed.seal === stored.seal ? parsed : 'forged';
}

/** The last seal that was removed; 0 while the log is whole. */
export async function lastCutSeal(db: Database): Promise<number> {
  const row = await db.selectFrom('audit_cuts').select('seal').orderBy('seal', 'desc').executeTakeFirst();
  return row?.seal ?? 0;
}

/** What a run removed, and whether more is old enough. */
export interface CutResult {
  readonly rows: number;
  readonly cut: SignedStatement | undefined;
  readonly isComplete: boolean;
}

/** Seals that one transaction removes: at most some 130,000 rows, and usually a few hundred. */
const sealsAtOnce = 64;
const nothing: CutResult = { rows: 0, cut: undefined, isComplete: true };

/** Removes the oldest seals that were made before a time, with their rows; never the newest seal, which the next one continues. */
export async function cutRecord(keyContext: KeyContext, before: Date): Promise<CutResult> {
  const { tx, now } = keyContext;
  const { rows: oldest } = await sql<SignedStatement>`
    select statement, signature from audit_seals where seal < (select max(seal) from audit_seals)
    order by seal limit ${sealsAtOnce}`.execute(tx);
  const kept = oldest.findIndex((signed) => Date.parse(parseStatement(signed).sealedAt) >= before.getTime());
  const last = oldest.at(kept === -1 ? -1 : kept - 1);
  const key = await existingSigningKey(keyContext);
  if (last === undefined || kept === 0 || key === undefined) return nothing;
  const cutStatement: CutStatement = { what: 'cut', cutAt: now.toISOString(), ...endOfSeal(last) };
  const statement = JSON.stringify(cutStatement);
  const cut = { statement, signature: signText(key, statement) };
  await tx
    .insertInto('audit_cuts')
    .values({ seal: cutStatement.seal, ...cut })
    .execute();
  const { rows } = await sql<{ rows: number }>`select cut_audit_log(${cutStatement.seal}) as rows`.execute(
    tx,
  );
  return { rows: rows[0]?.rows ?? 0, cut, isComplete: kept !== -1 || oldest.length < sealsAtOnce };
}
