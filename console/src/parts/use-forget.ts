import { useQueryClient } from '@tanstack/react-query';

/** Forgets what was read about something deleted; to be called after the navigation, because the former page reads it until then. */
export function useForget(): (
  key: 'projectId' | 'repositoryId' | 'packageId' | 'versionId',
  id: string,
) => void {
  const client = useQueryClient();
  return (key, id) =>
    client.removeQueries({
      predicate: ({ queryKey }) => (queryKey[1] as Record<string, unknown> | undefined)?.[key] === id,
    });
}
