import type { DataTag, MutationFunctionContext, QueryClient, QueryKey } from '@tanstack/react-query';

/** A change of one cached answer that is made before the hub has agreed. */
export interface Patch {
  readonly queryKey: QueryKey;
  apply(cached: unknown): unknown;
}

/** What `onMutate` leaves behind so that a failure can be taken back. */
export interface Applied {
  readonly before: readonly (readonly [queryKey: QueryKey, cached: unknown, patched: unknown])[];
}

/** A patch of what a query holds, typed by the query; nothing happens where the query has no answer yet. */
export function patchOf<Data>(
  query: { queryKey: DataTag<QueryKey, Data, Error> },
  apply: (cached: Data) => Data,
): Patch {
  return { queryKey: query.queryKey, apply: (cached) => apply(cached as Data) };
}

/**
 * The callbacks of a mutation that shows its result at once. On failure what was cached comes back, unless somebody changed it
 * meanwhile; in the end `stale` (keys or their beginnings) are read again, once the last mutation of the kind is through.
 */
export function optimistic<Variables>(
  patches: (variables: Variables) => readonly Patch[],
  stale: (variables: Variables) => readonly QueryKey[],
) {
  return {
    onMutate: async (variables: Variables, { client }: MutationFunctionContext): Promise<Applied> => {
      const all = patches(variables);
      await Promise.all(all.map(({ queryKey }) => client.cancelQueries({ queryKey, exact: true })));
      return { before: all.flatMap((patch) => applyPatch(client, patch)) };
    },
    onError: (
      _error: Error,
      _variables: Variables,
      applied: Applied | undefined,
      { client }: MutationFunctionContext,
    ): void => rollBack(client, applied),
    onSettled: (
      _data: unknown,
      _error: Error | null,
      variables: Variables,
      _applied: Applied | undefined,
      { client, mutationKey }: MutationFunctionContext,
    ): void => {
      if (mutationKey !== undefined && client.isMutating({ mutationKey }) > 1) return;
      invalidate(client, stale(variables));
    },
  };
}

/** The callback of a mutation whose result shows when the hub has agreed: `stale` are read again. */
export function invalidates<Data, Variables>(
  stale: (variables: Variables, data: Data) => readonly QueryKey[],
) {
  return {
    onSuccess: (
      data: Data,
      variables: Variables,
      _applied: unknown,
      { client }: MutationFunctionContext,
    ): void => invalidate(client, stale(variables, data)),
  };
}

// Nobody waits for the reading: a dialog closes when the deed is done, not when every list has come in.
function invalidate(client: QueryClient, keys: readonly QueryKey[]): void {
  for (const queryKey of keys) void client.invalidateQueries({ queryKey });
}

function applyPatch(client: QueryClient, { queryKey, apply }: Patch): Applied['before'] {
  const cached = client.getQueryData(queryKey);
  if (cached === undefined) return [];
  const patched = client.setQueryData(queryKey, apply(cached));
  return [[queryKey, cached, patched]];
}

function rollBack(client: QueryClient, applied: Applied | undefined): void {
  for (const [queryKey, cached, patched] of applied?.before ?? []) {
    if (client.getQueryData(queryKey) === patched) client.setQueryData(queryKey, cached);
  }
}
