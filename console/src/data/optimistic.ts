import type { DataTag, MutationFunctionContext, QueryClient, QueryKey } from '@tanstack/react-query';

/** A change of one cached answer, applied before the hub has confirmed it. */
export interface Patch {
  readonly queryKey: QueryKey;
  apply(cached: unknown): unknown;
}

/** What `onMutate` returns, for a rollback after a failure. */
export interface AppliedPatches {
  readonly before: readonly (readonly [queryKey: QueryKey, cached: unknown, patched: unknown])[];
}

/** A patch of the data of a query, typed by the query; skipped while the query has no data. */
export function patchOf<Data>(
  query: { queryKey: DataTag<QueryKey, Data, Error> },
  apply: (cached: Data) => Data,
): Patch {
  return { queryKey: query.queryKey, apply: (cached) => apply(cached as Data) };
}

/**
 * The callbacks of an optimistic mutation. A failure rolls the patches back, except where the data changed meanwhile. When the last
 * pending mutation of the kind is settled, the queries of `stale` (keys or key prefixes) are invalidated.
 */
export function optimistic<Variables>(
  patches: (variables: Variables) => readonly Patch[],
  stale: (variables: Variables) => readonly QueryKey[],
) {
  return {
    onMutate: async (variables: Variables, { client }: MutationFunctionContext): Promise<AppliedPatches> => {
      const all = patches(variables);
      await Promise.all(all.map(({ queryKey }) => client.cancelQueries({ queryKey, exact: true })));
      return { before: all.flatMap((patch) => applyPatch(client, patch)) };
    },
    onError: (
      _error: Error,
      _variables: Variables,
      applied: AppliedPatches | undefined,
      { client }: MutationFunctionContext,
    ): void => rollBack(client, applied),
    onSettled: (
      _data: unknown,
      _error: Error | null,
      variables: Variables,
      _applied: AppliedPatches | undefined,
      { client, mutationKey }: MutationFunctionContext,
    ): void => {
      if (mutationKey !== undefined && client.isMutating({ mutationKey }) > 1) return;
      invalidate(client, stale(variables));
    },
  };
}

/** The callback of a mutation that is not optimistic: its success invalidates the queries of `stale` (keys or key prefixes). */
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

// Not awaited: a dialog closes when the mutation is done, not when every list is refetched.
function invalidate(client: QueryClient, keys: readonly QueryKey[]): void {
  for (const queryKey of keys) void client.invalidateQueries({ queryKey });
}

function applyPatch(client: QueryClient, { queryKey, apply }: Patch): AppliedPatches['before'] {
  const cached = client.getQueryData(queryKey);
  if (cached === undefined) return [];
  const patched = client.setQueryData(queryKey, apply(cached));
  return [[queryKey, cached, patched]];
}

function rollBack(client: QueryClient, applied: AppliedPatches | undefined): void {
  for (const [queryKey, cached, patched] of applied?.before ?? []) {
    if (client.getQueryData(queryKey) === patched) client.setQueryData(queryKey, cached);
  }
}
