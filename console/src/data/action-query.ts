import { readList, type ListName } from '@corral/client';
import { ActionError, type ActionName, type CallInput, type Output } from '@corral/contract';
import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { isDeleting } from './deletion-guard.ts';
import { hubOf } from './hub.ts';
import type { QueryTimes } from './intervals.ts';

/** The key of what one action answers to one input. */
export type ActionKey<Name extends ActionName> = readonly [Name, CallInput<Name>];

/** A query that is one action: its key is the action's name and input, so that live changes find it by what it asks. */
export function actionQuery<Name extends ActionName>(name: Name, input: CallInput<Name>, times: QueryTimes) {
  return queryOptions<Output<Name>, Error, Output<Name>, ActionKey<Name>>({
    queryKey: [name, input],
    queryFn: ({ client, queryKey }) =>
      isDeleting(client, input as Record<string, unknown>)
        ? lastKnown<Output<Name>>(client, queryKey)
        : readList(hubOf(client), name as ListName, input as never, limitOf(input)).then(
            (answer) => answer as Output<Name>,
          ),
    ...times,
  });
}

/** The most rows of a list that the console reads: tables of more than these help nobody. */
const mostRows = 10_000;

function limitOf(input: object): number {
  return 'limit' in input && typeof input.limit === 'number' ? input.limit : mostRows;
}

function lastKnown<Answer>(client: QueryClient, queryKey: QueryKey): Answer {
  const known = client.getQueryData<Answer>(queryKey);
  if (known === undefined) throw new ActionError('Invalid', 'It has been deleted.');
  return known;
}

/** Reads an action's name and input off a query's key; undefined for the few queries that are no action. */
export function actionOf(
  key: QueryKey,
): { name: string; input: Readonly<Record<string, unknown>> } | undefined {
  const [name, input] = key;
  if (typeof name !== 'string' || typeof input !== 'object' || input === null) return undefined;
  return { name, input: input as Record<string, unknown> };
}
