import type { QueryClient } from '@tanstack/react-query';

const gone = new WeakMap<QueryClient, Set<string>>();

/**
 * Deletes what `id` names. From its beginning on nothing about it is asked any more, whatever its open page, its interval or the
 * live view would like to know: the hub could only answer that it does not exist. A failure brings it back.
 */
export async function deleting<Answer>(
  client: QueryClient,
  id: string,
  remove: () => Promise<Answer>,
): Promise<Answer> {
  const ids = gone.get(client) ?? new Set();
  gone.set(client, ids.add(id));
  try {
    return await remove();
  } catch (error) {
    ids.delete(id);
    throw error;
  }
}

/** Whether a question names something that is being deleted, or was. */
export function isGone(client: QueryClient, question: Readonly<Record<string, unknown>>): boolean {
  const ids = gone.get(client);
  return ids !== undefined && Object.values(question).some((value) => ids.has(value as string));
}
