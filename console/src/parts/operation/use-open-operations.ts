import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { actionPageQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';
import { sessionQuery } from '../../data/queries-account.ts';
import { projectQuery } from '../../data/queries-projects.ts';
import type { OpenOperation } from './OperationNeeds.tsx';

/** How many open operations are shown. */
const shown = 5;
/** Among how many drafts those are looked for that ask for a start. */
const readDrafts = 20;
const none: never[] = [];

/** The newest operations of a project that run, are paused or, for its owners, are asked of them; none while they are read. */
export function useOpenOperations(projectId: Id<'project'>): readonly OpenOperation[] {
  const { data: project } = useQuery(projectQuery(projectId));
  const { data: self } = useQuery(sessionQuery);
  const drafts = actionPageQuery(
    'fleet_QueryOperations',
    { projectId, status: ['Draft'], limit: readDrafts },
    everyMinute,
  );
  const asked = useQuery({ ...drafts, enabled: project?.isOwner === true }).data?.operations ?? none;
  const query = actionPageQuery(
    'fleet_QueryOperations',
    { projectId, status: ['Paused', 'Running'], limit: shown },
    everyMinute,
  );
  const open = useQuery(query).data?.operations ?? none;
  const isAskedOfSelf = ({ waitsFor, createdBy }: OpenOperation) =>
    waitsFor === 'Owner' ||
    (waitsFor === 'SecondPerson' &&
      !(createdBy !== undefined && 'userId' in createdBy && createdBy.userId === self?.userId));
  return [...asked.filter(isAskedOfSelf).slice(0, shown), ...open];
}
