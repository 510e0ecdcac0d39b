import type { KeyObject } from 'node:crypto';
import { hashBytes, rootHash } from '../auth/merkle-tree.ts';
import {
  isSigned,
  noPreviousDigest,
  parseStatement,
  beforeFirstRow,
  type RecordCursor,
  type SealStatement,
} from '../auth/seal-statement.ts';
import type { Database } from '../db/connect.ts';
import { readSeals, readStatement, type StoredSeal } from './audit-seals.ts';
import { endOfSeal, lastCutSeal, readCut, type SealEnd } from './record-cuts.ts';
import { leavesOf, readBetween, type RecordList, type RecordRow } from './record-rows.ts';

/** The first thing in the record that does not fit. */
export interface RecordProblem {
  readonly what: 'Edited' | 'Deleted' | 'Inserted' | 'SealMissing' | 'SealChanged' | 'CutChanged';
  readonly seal: number;
  readonly list?: RecordList;
  /** The raw id of the row. */
  readonly id?: string;
}

/** How far a check came. */
export interface RecordProgress {
  /** The last seal that fits. */
  readonly seal: number;
  /** How many rows the seals of this portion cover. */
  readonly rows: number;
  readonly isComplete: boolean;
  readonly problem?: RecordProblem;
}

/** Checks up to `limit` seals after one that was checked before, and the rows that they cover. A log that was cut begins after the cut. */
export async function checkSeals(
  db: Database,
  key: KeyObject,
  after: number,
  limit: number,
): Promise<RecordProgress> {
  const cut = await readCut(db, key);
  if (cut === 'forged') return failed(0, 0, { what: 'CutChanged', seal: await lastCutSeal(db) });
  const from = Math.max(after, cut?.seal ?? 0);
  let before = from === cut?.seal ? cut : await endOf(db, from);
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

function failed(seal: number, rows: number, problem: RecordProblem): RecordProgress {
  return { seal, rows, isComplete: true, problem };
}

const missing = (seal: number): RecordProblem => ({ what: 'SealMissing', seal });

async function problemOf(
  db: Database,
  key: KeyObject,
  stored: StoredSeal,
  before: SealEnd | undefined,
): Promise<RecordProblem | undefined> {
  const changed: RecordProblem = { what: 'SealChanged', seal: stored.seal };
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
  list: RecordList,
  stored: StoredSeal,
  statement: SealStatement,
  last: SealEnd | undefined,
): Promise<RecordProblem | undefined> {
  const [ids, leaves] = listed(list, stored);
  const [from, until]: [RecordCursor, RecordCursor] =
    list === 'actions'
      ? [last?.lastAction ?? beforeFirstRow, statement.lastAction]
      : [last?.lastEvent ?? beforeFirstRow, statement.lastEvent];
  // One more than are listed suffices to find the first difference.
  const rows = await readBetween(db, list, from, until, ids.length + 1);
  if (rows.length === ids.length && leavesOf(rows).equals(leaves)) return undefined;
  return { ...firstDifference(ids, leaves, rows), seal: stored.seal, list };
}

function listed(list: RecordList, { action_ids, event_ids, leaves }: StoredSeal): [string[], Buffer] {
  const end = action_ids.length * hashBytes;
  return list === 'actions' ? [action_ids, leaves.subarray(0, end)] : [event_ids, leaves.subarray(end)];
}

function firstDifference(
  ids: readonly string[],
  leaves: Buffer,
  rows: readonly RecordRow[],
): Pick<RecordProblem, 'what' | 'id'> {
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
