import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { actionPageQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';
import type { OpenOperation } from './OperationNeeds.tsx';

/** How many open operations are shown. */
const shown = 5;
const none: never[] = [];

/** The newest operations of a project that run or are paused; none while they are read. */
export function useOpenOperations(projectId: Id<'project'>): readonly OpenOperation[] {
  const query = actionPageQuery(
    'fleet_QueryOperations',
    { projectId, status: ['Paused', 'Running'], limit: shown },
    everyMinute,
  );
  return useQuery(query).data?.operations ?? none;
}
