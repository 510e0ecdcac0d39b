import {
  type ActionName,
  type CallInput,
  type EventName,
  events,
  type LiveChange,
  type LiveTopic,
  type Output,
  type StaleTopics,
} from '@corral/contract';
import {
  type MutationOptions,
  mutationOptions,
  type QueryClient,
  type QueryKey,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import { guardDeletion } from './deletion-guard.ts';
import { hubOf } from './hub.ts';
import { isStaleAfter } from './live-changes.ts';
import { withReplay } from './replay.ts';
import { withStepUp } from './step-up.ts';
import { type AppliedPatches, invalidates, optimistic, type Patch } from './optimistic.ts';

/** What a mutation changes: the event that its action publishes, or a live topic where the action publishes none. */
export type Effect = EventName | LiveTopic;

interface MutationExtras<Name extends ActionName> {
  /** Changes of cached answers that show before the hub confirms the action, and are rolled back when it fails. */
  readonly patches?: (input: CallInput<Name>) => readonly Patch[];
  /** The id of the entity that the action deletes; from its start on, queries about that entity no longer reach the hub. */
  readonly deletes?: (input: CallInput<Name>) => string;
}

/** A mutation that calls one action, and then invalidates the queries that the live stream would. */
export function actionMutation<Name extends ActionName>(
  name: Name,
  effect: Effect,
  { patches, deletes }: MutationExtras<Name> = {},
) {
  const stale = (input: CallInput<Name>) => {
    const changes = changesOf(effect, input);
    return (key: QueryKey) => changes.some((change) => isStaleAfter(key, change));
  };
  return mutationOptions<Output<Name>, Error, CallInput<Name>, AppliedPatches>({
    mutationKey: [name],
    mutationFn: (input, { client }) => {
      const invoke = () => withReplay(client, () => withStepUp(() => hubOf(client).invoke(name, input)));
      return deletes === undefined ? invoke() : guardDeletion(client, deletes(input), invoke);
    },
    ...(patches === undefined ? invalidates(stale) : optimistic(patches, stale)),
  });
}

// Limited to the ids in the input. An id that only the hub knows does not limit them: that refetches too much, never too little.
function changesOf(effect: Effect, input: object): LiveChange[] {
  const { projectId, deviceId, userId, repositoryId } = input as Partial<LiveChange>;
  if (!isEvent(effect)) return [changeOf(effect, { projectId, deviceId, userId, repositoryId })];
  const stale: StaleTopics = events[effect].stale;
  return [
    ...(stale.project === undefined ? [] : [changeOf(stale.project, { projectId, deviceId })]),
    ...(stale.repository === undefined ? [] : [changeOf(stale.repository, { repositoryId })]),
    ...(stale.user === undefined ? [] : [changeOf(stale.user, { userId })]),
    ...(stale.everyone === undefined ? [] : [changeOf(stale.everyone, {})]),
    ...(stale.administrators === undefined ? [] : [changeOf(stale.administrators, {})]),
    ...(events[effect].persistence === 'log' ? [changeOf('log', { projectId, repositoryId })] : []),
  ];
}

function isEvent(effect: Effect): effect is EventName {
  return Object.hasOwn(events, effect);
}

type Ids = { [Key in Exclude<keyof LiveChange, 'topic'>]?: LiveChange[Key] | undefined };

function changeOf(topic: LiveTopic, ids: Ids): LiveChange {
  return { topic, ...ids } as LiveChange;
}

/** Runs mutations; see `useRun`. */
export type Run = <Data, Input, Applied>(
  mutation: MutationOptions<Data, Error, Input, Applied>,
  input: Input,
) => Promise<Data>;

/** A function with a stable identity that runs any mutation. The cache forgets the call, so that no secret in an answer is kept. */
export function useRun(): Run {
  const client = useQueryClient();
  return useCallback((mutation, input) => runMutation(client, mutation, input), [client]);
}

/** The same for work that outlives every component. */
export function runOf(client: QueryClient): Run {
  return (mutation, input) => runMutation(client, mutation, input);
}

async function runMutation<Data, Input, Applied>(
  client: QueryClient,
  options: MutationOptions<Data, Error, Input, Applied>,
  input: Input,
): Promise<Data> {
  const cache = client.getMutationCache();
  const mutation = cache.build<Data, Error, Input, Applied>(client, client.defaultMutationOptions(options));
  try {
    return await mutation.execute(input);
  } finally {
    cache.remove(mutation);
  }
}
