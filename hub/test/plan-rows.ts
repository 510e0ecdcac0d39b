import { CompiledQuery } from 'kysely';
import type { Kysely } from 'kysely';
import type { Tables } from '../src/platform/db/tables.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs a statement, and counts the rows that the node of its plan with the most of them read, those that it dropped included. */
export async function mostRowsOf(db: Kysely<Tables>, statement: Statement): Promise<number> {
  return Math.max(...nodesOf(await planOf(db, statement)).map(rowsOf));
}

/** Runs a statement, and counts the rows that it read from a table itself, not from an index alone. */
export async function tableRowsOf(db: Kysely<Tables>, statement: Statement, table: string): Promise<number> {
  const reads = nodesOf(await planOf(db, statement)).filter((node) => node['Relation Name'] === table);
  return Math.max(0, ...reads.filter((node) => node['Node Type'] !== 'Index Only Scan').map(rowsOf));
}

async function planOf(db: Kysely<Tables>, { text, values }: Statement): Promise<PlanNode> {
  const explained = CompiledQuery.raw(`explain (analyze, timing off, format json) ${text}`, [...values]);
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(explained);
  const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
  if (plan === undefined) throw new Error('The server explained nothing.');
  return plan.Plan;
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function rowsOf(node: PlanNode): number {
  const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return (node['Actual Rows'] + dropped) * node['Actual Loops'];
}
