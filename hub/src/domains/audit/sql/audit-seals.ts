import { sql } from 'kysely';
import type { KeyObject } from 'node:crypto';
import { ed25519PrivateKey } from '../../../auth/ed25519.ts';
import { rootHash } from '../../../auth/merkle-tree.ts';
import {
  digestOf,
  noPreviousDigest,
  parseStatement,
  beforeFirstRow,
  signStatement,
  type AuditLogCursor,
  type SignedStatement,
} from '../../../auth/seal-statement.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { existingInstanceKey, instanceKey, type KeyContext } from '../../instance/index.ts';
import { leavesOf, readUnsealed, type AuditLogRow } from './audit-log-rows.ts';

/** A seal covers at most so many rows of each list: some 180 KB, hashed in 5 ms. */
const maxSealedRows = 1024;

const keyPurpose = 'audit seals';

/** The key that signs seals; made on first use. */
async function signingKey(keyContext: KeyContext): Promise<KeyObject> {
  return ed25519PrivateKey(await instanceKey(keyContext, keyPurpose));
}

/** The key that signed all seals; undefined before the first one. */
export async function existingSigningKey(
  keyContext: Omit<KeyContext, 'now'>,
): Promise<KeyObject | undefined> {
  const seed = await existingInstanceKey(keyContext, keyPurpose);
  return seed && ed25519PrivateKey(seed);
}

/** A seal as it is stored. */
export interface StoredSeal extends SignedStatement {
  readonly seal: number;
  readonly action_ids: string[];
  readonly event_ids: string[];
  readonly leaves: Buffer;
}

/** Reads the seals that follow one, in their order. */
export async function readSeals(db: Database, after: number, limit: number): Promise<StoredSeal[]> {
  return db
    .selectFrom('audit_seals')
    .select(['seal', 'statement', 'signature', 'action_ids', 'event_ids', 'leaves'])
    .where('seal', '>', after)
    .orderBy('seal')
    .limit(limit)
    .execute();
}

/** The statement of a seal; by default of the newest one. */
export async function readStatement(db: Database, seal?: number): Promise<SignedStatement | undefined> {
  const { rows } = await sql<SignedStatement>`
    select statement, signature from audit_seals where ${seal === undefined ? sql`true` : sql`seal = ${seal}`}
    order by seal desc limit 1`.execute(db);
  return rows[0];
}

/** What a run of the sealer did: the new seal, if there were rows for one, and whether no row is left. */
export interface Sealing {
  readonly signed: SignedStatement | undefined;
  readonly isComplete: boolean;
}

/** Seals the next rows. Of two nodes that seal at once one stores its seal; the other one's is void. */
export async function sealNextRows(keyContext: KeyContext): Promise<Sealing> {
  const { tx, now } = keyContext;
  const last = await readStatement(tx);
  const before = last && parseStatement(last);
  const actions = await readUnsealed(tx, 'actions', before?.lastAction ?? beforeFirstRow, maxSealedRows);
  const events = await readUnsealed(tx, 'events', before?.lastEvent ?? beforeFirstRow, maxSealedRows);
  if (actions.length + events.length === 0) return { signed: undefined, isComplete: true };
  const leaves = leavesOf([...actions, ...events]);
  const seal = (before?.seal ?? 0) + 1;
  const lastEvent = endOf(events, before?.lastEvent);
  const signed = signStatement(await signingKey(keyContext), {
    seal,
    sealedAt: now.toISOString(),
    previous: last === undefined ? noPreviousDigest : digestOf(last),
    root: rootHash(leaves).toString('hex'),
    actions: actions.length,
    events: events.length,
    lastAction: endOf(actions, before?.lastAction),
    lastEvent,
  });
  const ids = { action_ids: actions.map(({ id }) => id), event_ids: events.map(({ id }) => id) };
  const end = { last_event_position: lastEvent[0], last_event_id: lastEvent[1] };
  const { numInsertedOrUpdatedRows: stored = 0n } = await tx
    .insertInto('audit_seals')
    .values({ seal, ...signed, ...ids, ...end, leaves })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (stored === 0n) return { signed: undefined, isComplete: true };
  return { signed, isComplete: actions.length < maxSealedRows && events.length < maxSealedRows };
}

function endOf(rows: readonly AuditLogRow[], before: AuditLogCursor = beforeFirstRow): AuditLogCursor {
  const last = rows.at(-1);
  return last === undefined ? before : [last.position, last.id];
}
