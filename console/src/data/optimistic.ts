import type { ActionName, Output } from '@corral/contract';
import {
  type DataTag,
  matchQuery,
  type MutationFunctionContext,
  type MutationKey,
  type Query,
  type QueryClient,
  type QueryFilters,
  type QueryKey,
} from '@tanstack/react-query';

/** A change of cached answers, applied before the hub has confirmed it. */
export interface Patch {
  /** The queries whose answers change. */
  readonly filters: QueryFilters;
  apply(cached: unknown): unknown;
}

type AppliedPatch = readonly [queryKey: QueryKey, cached: unknown, patched: unknown];

/** What `onMutate` returns, for a rollback after a failure. */
export interface AppliedPatches {
  readonly patches: readonly Patch[];
  before: readonly AppliedPatch[];
}

// The patches of the mutations that the hub has not answered yet.
const unanswered = new WeakMap<QueryClient, Set<AppliedPatches>>();

/** Patches an answer that was read while an optimistic mutation waits: the read may be older than the change. Call it with each read. */
export function keepPatches(client: QueryClient, query: Query<unknown, unknown, unknown>): void {
  for (const applied of unanswered.get(client) ?? []) {
    for (const patch of applied.patches.filter(({ filters }) => matchQuery(filters, query))) {
      const { queryKey, queryHash } = query;
      const kept = applied.before.filter(
        ([key]) => client.getQueryCache().find({ queryKey: key })?.queryHash !== queryHash,
      );
      const cached = client.getQueryData(queryKey);
      applied.before = [...kept, [queryKey, cached, client.setQueryData(queryKey, patch.apply(cached))]];
    }
  }
}

/** Whether a query with this key is stale. */
type IsStale = (key: QueryKey) => boolean;

/** Patches every cached answer of an action, whatever its input; `apply` returns an answer without the changed entity as it is. */
export function patchAnswers<Name extends ActionName>(
  name: Name,
  apply: (answer: Output<Name>) => Output<Name>,
): Patch {
  return { filters: { queryKey: [name] }, apply: (cached) => apply(cached as Output<Name>) };
}

/** Patches a list in every cached answer of an action. */
export function patchRows<Name extends ActionName, List extends keyof Output<Name>>(
  name: Name,
  list: List,
  change: (rows: Output<Name>[List]) => Output<Name>[List],
): Patch {
  return patchAnswers(name, (answer) => ({ ...answer, [list]: change(answer[list]) }));
}

/** A patch of the data of a query, typed by the query; skipped while the query has no data. */
export function patchOf<Data>(
  query: { queryKey: DataTag<QueryKey, Data, Error> },
  apply: (cached: Data) => Data,
): Patch {
  return { filters: { queryKey: query.queryKey, exact: true }, apply: (cached) => apply(cached as Data) };
}

/**
 * The callbacks of an optimistic mutation. A failure rolls the patches back, except where the data changed meanwhile. When the last
 * pending mutation of the kind is settled, the queries that `stale` names are invalidated.
 */
export function optimistic<Variables>(
  patches: (variables: Variables) => readonly Patch[],
  stale: (variables: Variables) => IsStale,
) {
  return {
    onMutate: async (variables: Variables, { client }: MutationFunctionContext): Promise<AppliedPatches> => {
      const all = patches(variables);
      await Promise.all(all.map(({ filters }) => client.cancelQueries(filters)));
      const applied = { patches: all, before: all.flatMap((patch) => applyPatch(client, patch)) };
      unanswered.set(client, (unanswered.get(client) ?? new Set()).add(applied));
      return applied;
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
      applied: AppliedPatches | undefined,
      { client, mutationKey }: MutationFunctionContext,
    ): void => {
      if (applied !== undefined) unanswered.get(client)?.delete(applied);
      invalidateAfterLast(client, mutationKey, stale(variables));
    },
  };
}

/** The callback of a mutation that is not optimistic. When the last pending mutation of the kind is settled, the queries that `stale` names are invalidated, of each that succeeded. */
export function invalidates<Variables>(stale: (variables: Variables) => IsStale) {
  return {
    onSettled: (
      _data: unknown,
      error: Error | null,
      variables: Variables,
      _applied: unknown,
      { client, mutationKey }: MutationFunctionContext,
    ): void => invalidateAfterLast(client, mutationKey, error === null ? stale(variables) : undefined),
  };
}

// By the kind of mutation: what those that are settled have made stale while others were pending.
const staleByKind = new WeakMap<QueryClient, Map<string, IsStale[]>>();

/** An action on a hundred rows reads their list once, not a hundred times. */
function invalidateAfterLast(
  client: QueryClient,
  mutationKey: MutationKey | undefined,
  isStale: IsStale | undefined,
): void {
  const kinds = staleByKind.get(client) ?? new Map<string, IsStale[]>();
  staleByKind.set(client, kinds);
  const kind = JSON.stringify(mutationKey);
  const stale = [...(kinds.get(kind) ?? []), ...(isStale === undefined ? [] : [isStale])];
  if (mutationKey !== undefined && client.isMutating({ mutationKey }) > 1) {
    kinds.set(kind, stale);
    return;
  }
  kinds.delete(kind);
  if (stale.length === 0) return;
  // Not awaited: a dialog closes when the mutation is done, not when every list is refetched.
  void client.invalidateQueries({ predicate: ({ queryKey }) => stale.some((isOne) => isOne(queryKey)) });
}

function applyPatch(client: QueryClient, { filters, apply }: Patch): AppliedPatch[] {
  return client.getQueriesData(filters).flatMap(([queryKey, cached]) => {
    if (cached === undefined) return [];
    return [[queryKey, cached, client.setQueryData(queryKey, apply(cached))] as const];
  });
}

function rollBack(client: QueryClient, applied: AppliedPatches | undefined): void {
  for (const [queryKey, cached, patched] of applied?.before ?? []) {
    if (client.getQueryData(queryKey) === patched) client.setQueryData(queryKey, cached);
  }
}
