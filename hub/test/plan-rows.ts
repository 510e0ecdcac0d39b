import { CompiledQuery } from 'kysely';
import type { Kysely } from 'kysely';
import type { Tables } from '../src/db/tables.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Runs a statement, and counts the rows that the node of its plan with the most of them read, those that it dropped included. */
export async function mostRowsOf(
  db: Kysely<Tables>,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<number> {
  const explained = CompiledQuery.raw(`explain (analyze, timing off, format json) ${text}`, [...values]);
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(explained);
  const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
  if (plan === undefined) throw new Error('The server explained nothing.');
  return mostRows(plan.Plan);
}

function mostRows(node: PlanNode): number {
  const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const own = (node['Actual Rows'] + dropped) * node['Actual Loops'];
  return Math.max(own, ...(node.Plans ?? []).map(mostRows));
}
