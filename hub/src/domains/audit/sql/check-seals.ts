import type { KeyObject } from 'node:crypto';
import { hashBytes, rootHash } from '../../../auth/merkle-tree.ts';
import {
  isSigned,
  noPreviousDigest,
  parseStatement,
  beforeFirstRow,
  type AuditLogCursor,
  type SealStatement,
} from '../../../auth/seal-statement.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { readSeals, readStatement, type StoredSeal } from './audit-seals.ts';
import { endOfSeal, lastPrunedSeal, readPruning, type SealEnd } from './audit-log-pruning.ts';
import { leavesOf, readBetween, type AuditLogList, type AuditLogRow } from './audit-log-rows.ts';

/** The first thing in the audit log that does not fit. */
export interface AuditLogProblem {
  readonly what: 'Edited' | 'Deleted' | 'Inserted' | 'SealMissing' | 'SealChanged' | 'PruningChanged';
  readonly seal: number;
  readonly list?: AuditLogList;
  /** The raw id of the row. */
  readonly id?: string;
}

/** How far a check came. */
export interface AuditCheckProgress {
  /** The last seal that fits. */
  readonly seal: number;
  /** How many rows the seals of this portion cover. */
  readonly rows: number;
  readonly isComplete: boolean;
  readonly problem?: AuditLogProblem;
}

/** Checks up to `limit` seals after one that was checked before, and the rows that they cover. A pruned log begins after the last seal that was removed. */
export async function checkSeals(
  db: Database,
  key: KeyObject,
  after: number,
  limit: number,
): Promise<AuditCheckProgress> {
  const pruned = await readPruning(db, key);
  if (pruned === 'forged') return failed(0, 0, { what: 'PruningChanged', seal: await lastPrunedSeal(db) });
  const from = Math.max(after, pruned?.seal ?? 0);
  let before = from === pruned?.seal ? pruned : await endOf(db, from);
  if (from > 0 && before === undefined) return failed(from - 1, 0, missing(from));
  const seals = await readSeals(db, from, limit);
  let rows = 0;
  for (const [index, stored] of seals.entries()) {
    const expected = from + 1 + index;
    const problem = stored.seal === expected ? await problemOf(db, key, stored, before) : missing(expected);
    if (problem !== undefined) return failed(expected - 1, rows, problem);
    rows += stored.action_ids.length + stored.event_ids.length;
    before = endOfSeal(stored);
  }
  return { seal: from + seals.length, rows, isComplete: seals.length < limit };
}

async function endOf(db: Database, seal: number): Promise<SealEnd | undefined> {
  const signed = seal === 0 ? undefined : await readStatement(db, seal);
  return signed && endOfSeal(signed);
}

function failed(seal: number, rows: number, problem: AuditLogProblem): AuditCheckProgress {
  return { seal, rows, isComplete: true, problem };
}

const missing = (seal: number): AuditLogProblem => ({ what: 'SealMissing', seal });

async function problemOf(
  db: Database,
  key: KeyObject,
  stored: StoredSeal,
  before: SealEnd | undefined,
): Promise<AuditLogProblem | undefined> {
  const changed: AuditLogProblem = { what: 'SealChanged', seal: stored.seal };
  if (!isSigned(key, stored.statement, stored.signature)) return changed;
  const statement = parseStatement(stored);
  if (statement.seal !== stored.seal || statement.previous !== (before?.digest ?? noPreviousDigest))
    return changed;
  return (
    (await problemIn(db, 'actions', stored, statement, before)) ??
    (await problemIn(db, 'events', stored, statement, before)) ??
    (isListSigned(stored, statement) ? undefined : changed)
  );
}

function isListSigned({ leaves, action_ids, event_ids }: StoredSeal, statement: SealStatement): boolean {
  const isComplete = action_ids.length === statement.actions && event_ids.length === statement.events;
  return isComplete && rootHash(leaves).toString('hex') === statement.root;
}

async function problemIn(
  db: Database,
  list: AuditLogList,
  stored: StoredSeal,
  statement: SealStatement,
  last: SealEnd | undefined,
): Promise<AuditLogProblem | undefined> {
  const [ids, leaves] = listed(list, stored);
  const [from, until]: [AuditLogCursor, AuditLogCursor] =
    list === 'actions'
      ? [last?.lastAction ?? beforeFirstRow, statement.lastAction]
      : [last?.lastEvent ?? beforeFirstRow, statement.lastEvent];
  // One more than are listed suffices to find the first difference.
  const rows = await readBetween(db, list, from, until, ids.length + 1);
  if (rows.length === ids.length && leavesOf(rows).equals(leaves)) return undefined;
  return { ...firstDifference(ids, leaves, rows), seal: stored.seal, list };
}

function listed(list: AuditLogList, { action_ids, event_ids, leaves }: StoredSeal): [string[], Buffer] {
  const end = action_ids.length * hashBytes;
  return list === 'actions' ? [action_ids, leaves.subarray(0, end)] : [event_ids, leaves.subarray(end)];
}

function firstDifference(
  ids: readonly string[],
  leaves: Buffer,
  rows: readonly AuditLogRow[],
): Pick<AuditLogProblem, 'what' | 'id'> {
  const sealed = new Set(ids);
  for (let at = 0; at <= ids.length; at += 1) {
    const [id, row] = [ids[at], rows[at]];
    if (row !== undefined && !sealed.has(row.id)) return { what: 'Inserted', id: row.id };
    if (id !== undefined && id !== row?.id) return { what: 'Deleted', id };
    if (id !== undefined && row && !row.leaf.equals(leaves.subarray(at * hashBytes, (at + 1) * hashBytes)))
      return { what: 'Edited', id };
  }
  return { what: 'SealChanged' };
}
