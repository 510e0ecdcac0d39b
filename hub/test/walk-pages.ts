import type { ActionName } from '@corral/contract';
import { expect } from 'vitest';
import { type FreshExecutor, system } from './fresh-executor.ts';

/** A page of a list: its rows as texts, and where the next one begins. */
export async function readPage(
  hub: FreshExecutor,
  name: ActionName,
  input: object,
): Promise<{ rows: string[]; next: string | undefined }> {
  const output = (await hub.executor.execute({ actor: system, origin: {} }, name, input)) as object;
  const { next, ...fields } = output as { next?: string };
  const rows = Object.values(Object.values(fields)[0] as object).map((row) => JSON.stringify(row));
  return { rows, next };
}

/** All rows of a list, read page by page. */
export async function walkPages(
  hub: FreshExecutor,
  { name, input, limit }: { readonly name: ActionName; readonly input: object; readonly limit: number },
  between: () => Promise<void> = async () => {},
): Promise<string[]> {
  const rows: string[] = [];
  for (let after: string | undefined; ; await between()) {
    const read = await readPage(hub, name, { ...input, limit, ...(after === undefined ? {} : { after }) });
    expect(read.rows.length).toBeLessThanOrEqual(limit);
    rows.push(...read.rows);
    after = read.next;
    if (after === undefined) return rows;
  }
}
