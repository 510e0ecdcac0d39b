import type { ActionName, CallInput, Output } from '@corral/contract';
import type { Executor } from './executor.ts';

/** The actions that return a list page by page. */
export type ListName = {
  [Name in ActionName]: Output<Name> extends { next?: string | undefined } ? Name : never;
}[ActionName];

/** Reads a list page by page into one output without `next`: all of it, or the first `maxRows` (or `limit`) rows. */
export async function readList<Name extends ListName>(
  executor: Executor,
  name: Name,
  input: CallInput<Name>,
  maxRows = (input as { limit?: number }).limit ?? Infinity,
  signal?: AbortSignal,
): Promise<Output<Name>> {
  let { next, ...whole } = await pageOf(executor, name, input, signal);
  while (next !== undefined) {
    const missing = maxRows - rowsOf(whole);
    if (missing <= 0) break;
    const rest = Number.isFinite(missing) ? { limit: missing } : {};
    const page = await pageOf(executor, name, { ...input, ...rest, after: next }, signal);
    ({ next } = page);
    delete page.next;
    whole = merged(whole, page) as typeof whole;
  }
  return whole as Output<Name>;
}

type PageOutput = { next?: string | undefined } & Record<string, unknown>;

async function pageOf(
  executor: Executor,
  name: ListName,
  input: object,
  signal: AbortSignal | undefined,
): Promise<PageOutput> {
  return (await executor.invoke(name, input as never, signal && { signal })) as PageOutput;
}

/** The rows are an array or a record: in the only field of the output, or in the only field of that field. */
function rowsOf(output: object): number {
  const [field] = Object.values(output) as [object];
  if (Array.isArray(field)) return field.length;
  const values = Object.values(field) as unknown[];
  return Array.isArray(values[0]) ? values[0].length : values.length;
}

function merged(earlier: unknown, later: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(later)) return [...earlier, ...(later as unknown[])];
  const [before, after] = [earlier as Record<string, unknown>, later as Record<string, unknown>];
  const both = Object.entries(after).map(([key, value]) => [
    key,
    Object.hasOwn(before, key) ? merged(before[key], value) : value,
  ]);
  return { ...before, ...Object.fromEntries(both) };
}
