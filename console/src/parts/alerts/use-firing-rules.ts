import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type AlertRule, alertRulesQuery, alertSeverities } from './alerts.ts';

/** The rules of a project of which alerts fire, the most severe first; none while they are read. */
export function useFiringRules(projectId: Id<'project'>): readonly AlertRule[] {
  const { data } = useQuery(alertRulesQuery({ projectId }));
  return useMemo(() => {
    const rank = ({ severity }: AlertRule) => alertSeverities.indexOf(severity);
    return (data?.rules ?? [])
      .filter(({ counts }) => counts.firing > 0)
      .toSorted((one, other) => rank(one) - rank(other));
  }, [data]);
}
