import { hash } from 'node:crypto';
import { ActionError, ids } from '@corral/contract';
import { sql } from 'kysely';
import { hashBytes, inclusionPaths } from '../../../auth/merkle-tree.ts';
import { parseStatement, signText, type SignedStatement } from '../../../auth/seal-statement.ts';
import type { Handler } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import type { KeyContext } from '../../instance/index.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { readEventTexts } from '../sql/audit-log-rows.ts';
import { existingSigningKey, readSeals, readStatement, type StoredSeal } from '../sql/audit-seals.ts';

/** Exports the audit events of a project with their proofs, for its members. */
export const ExportAuditLog: Handler<'projects_ExportAuditLog', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, vault, input }, { projectId }) {
    const after = input.after && ids.auditEvent.raw(input.after);
    if (after !== undefined && !(await isEntryOf(tx, projectId, after)))
      throw new ActionError('Invalid', 'Audit event not found.');
    const { lines, next } = await exportEvents({ tx, vault }, projectId, after);
    return { lines, ...(next === undefined ? {} : { next: ids.auditEvent.of(next) }) };
  },
};

/** A page of an exported log: lines of JSON, and where the next page begins. */
interface ExportedPage {
  readonly lines: string[];
  /** The raw id of its last entry; undefined at the end. */
  readonly next: string | undefined;
}

const rowsInPage = 200;

interface Entry {
  readonly event_id: string;
  readonly created_at: string;
  readonly seal: number;
}

/**
 * Exports the next sealed events about a project, oldest first: each with its path to the root of its seal, after the seal. The last line of a page signs the
 * page and its place, so that no line can be left out.
 */
async function exportEvents(
  keyContext: Omit<KeyContext, 'now'>,
  rawProjectId: string,
  after: string | undefined,
): Promise<ExportedPage> {
  const { tx } = keyContext;
  const last = await readStatement(tx);
  const entries = last === undefined ? [] : await readEntries(tx, rawProjectId, after, last);
  const lines: string[] = [];
  for (const [seal, own] of groupedBySeal(entries)) {
    // One seal at a time: 2,048 hashes take some milliseconds.
    const [stored] = await readSeals(tx, seal - 1, 1);
    const texts = await readEventTexts(tx, own);
    if (stored !== undefined) lines.push(...linesOf(stored, own, texts));
  }
  const end = entries.at(-1);
  const next = entries.length < rowsInPage ? undefined : end?.event_id;
  const digest = hash('sha256', lines.map((line) => `${line}\n`).join(''), 'hex');
  const page = JSON.stringify({
    projectId: ids.project.of(rawProjectId),
    after: after ?? null,
    next: next ?? null,
    digest,
  });
  const key = await existingSigningKey(keyContext);
  if (key === undefined) return { lines: [], next: undefined };
  const signature = signText(key, page).toString('base64');
  return { lines: [...lines, JSON.stringify({ page, signature })], next };
}

/** Whether the log of a project, by its raw id, has an entry. */
async function isEntryOf(tx: Database, projectId: string, eventId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from audit_event_entities where entity_kind = 'project' and entity_id = ${projectId} and event_id = ${eventId}`.execute(
    tx,
  );
  return rows.length > 0;
}

async function readEntries(
  tx: Database,
  projectId: string,
  after: string | undefined,
  last: SignedStatement,
): Promise<Entry[]> {
  const about = sql`a.entity_kind = 'project' and a.entity_id = ${projectId}`;
  const isNext =
    after === undefined
      ? sql`true`
      : sql`(a.created_at, a.event_id) > (select a.created_at, a.event_id from audit_event_entities a where ${about} and a.event_id = ${after})`;
  const [position, lastId] = parseStatement(last).lastEvent;
  const { rows } = await sql<Entry>`
    select e.event_id, a.created_at, s.seal from audit_event_entities a join audit_events e using (event_id)
    cross join lateral (
      select seal from audit_seals where (last_event_position, last_event_id) >= (e.position, e.event_id)
      order by last_event_position, last_event_id, seal limit 1) as s
    where ${about} and ${isNext}
      and (e.position, e.event_id) <= (${position}, ${lastId})
    order by a.created_at, a.event_id limit ${rowsInPage}`.execute(tx);
  return rows;
}

function groupedBySeal(entries: readonly Entry[]): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const { seal, event_id } of entries) groups.set(seal, [...(groups.get(seal) ?? []), event_id]);
  return groups;
}

function linesOf(
  { seal, statement, signature, action_ids, event_ids, leaves }: StoredSeal,
  own: readonly string[],
  texts: ReadonlyMap<string, string>,
): string[] {
  const indexes = own.map((id) => action_ids.length + event_ids.indexOf(id));
  const paths = inclusionPaths(
    leaves.subarray(0, (action_ids.length + event_ids.length) * hashBytes),
    indexes,
  );
  return [
    JSON.stringify({ statement, signature: signature.toString('base64') }),
    ...own.map((id, at) => {
      const path = (paths[at] ?? []).map((node) => node.toString('base64'));
      const proof = JSON.stringify({ seal, index: indexes[at], path });
      // The row is the text that was hashed, so it comes last and unchanged.
      return `${proof.slice(0, -1)},"row":${texts.get(id) ?? 'null'}}`;
    }),
  ];
}
