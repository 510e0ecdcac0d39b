import { readList, type ListName } from '@corral/client';
import { ActionError, type ActionName, type CallInput, type Output } from '@corral/contract';
import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { isDeleting } from './deletion-guard.ts';
import { hubOf } from './hub.ts';
import type { QueryTimes } from './intervals.ts';

/** The query key of an action and its input. */
export type ActionKey<Name extends ActionName> = readonly [Name, CallInput<Name>];

/** A query that calls one action. Its key is the action's name and input, so that live changes can find it. */
export function actionQuery<Name extends ActionName>(name: Name, input: CallInput<Name>, times: QueryTimes) {
  return queryOptions<Output<Name>, Error, Output<Name>, ActionKey<Name>>({
    queryKey: [name, input],
    queryFn: ({ client, queryKey, signal }) =>
      isDeleting(client, input as Record<string, unknown>)
        ? lastKnown<Output<Name>>(client, queryKey)
        : readList(hubOf(client), name as ListName, input as never, limitOf(input), signal).then(
            (answer) => answer as Output<Name>,
          ),
    ...times,
  });
}

/** A query of one page of a list, with the cursor of the next page; it may have as many rows as one answer takes. */
export function actionPageQuery<Name extends ListName>(
  name: Name,
  input: CallInput<Name>,
  times: QueryTimes,
) {
  return queryOptions<Output<Name>, Error, Output<Name>, ActionKey<Name>>({
    queryKey: [name, input],
    queryFn: ({ client, queryKey, signal }) =>
      isDeleting(client, input as Record<string, unknown>)
        ? lastKnown<Output<Name>>(client, queryKey)
        : hubOf(client).invoke(name, input, { signal }),
    ...times,
  });
}

/** The maximum number of rows of a list that the console reads; nobody reads longer tables. */
const maxRows = 10_000;

function limitOf(input: object): number {
  return 'limit' in input && typeof input.limit === 'number' ? input.limit : maxRows;
}

function lastKnown<Answer>(client: QueryClient, queryKey: QueryKey): Answer {
  const known = client.getQueryData<Answer>(queryKey);
  if (known === undefined) throw new ActionError('Invalid', 'It has been deleted.');
  return known;
}

/** The action's name and input in a query key; undefined for the few queries that call no action. */
export function actionOf(
  key: QueryKey,
): { name: string; input: Readonly<Record<string, unknown>> } | undefined {
  const [name, input] = key;
  if (typeof name !== 'string' || typeof input !== 'object' || input === null) return undefined;
  return { name, input: input as Record<string, unknown> };
}
