import type { QueryClient } from '@tanstack/react-query';

const deleting = new WeakMap<QueryClient, Set<string>>();

/** Runs `remove`, which deletes the entity `id`. Meanwhile queries about it do not reach the hub; a failure lifts the guard. */
export async function guardDeletion<Answer>(
  client: QueryClient,
  id: string,
  remove: () => Promise<Answer>,
): Promise<Answer> {
  const ids = guard(client, id);
  try {
    return await remove();
  } catch (error) {
    ids.delete(id);
    throw error;
  }
}

/** Runs `leave`, after which the user no longer sees the entity `id`. Until it ends, queries about `id` do not reach the hub. */
export async function guardLeaving(
  client: QueryClient,
  id: string,
  leave: () => Promise<void>,
): Promise<void> {
  const ids = guard(client, id);
  try {
    await leave();
  } finally {
    // An invitation may bring the user back.
    ids.delete(id);
  }
}

function guard(client: QueryClient, id: string): Set<string> {
  const ids = deleting.get(client) ?? new Set();
  deleting.set(client, ids.add(id));
  return ids;
}

/** Whether a query's input names an entity that is being deleted or left, or was deleted. */
export function isDeleting(client: QueryClient, input: Readonly<Record<string, unknown>>): boolean {
  const ids = deleting.get(client);
  return ids !== undefined && Object.values(input).some((value) => ids.has(value as string));
}
