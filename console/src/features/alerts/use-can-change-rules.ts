import { useQuery } from '@tanstack/react-query';
import { projectQuery } from '../../data/queries-projects.ts';
import type { AlertPlace } from '../../parts/alerts/alerts.ts';

/** Whether the user may change the rules of a place; until it is known it is tried. */
export function useCanChangeRules({ projectId }: AlertPlace): boolean {
  const { data } = useQuery({ ...projectQuery(projectId ?? 'p_'), enabled: projectId !== undefined });
  return data?.isOwner !== false;
}
