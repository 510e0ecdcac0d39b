import type { Id } from '@corral/contract';
import { projectLogQuery, projectLogSearchQuery } from '../../data/queries-projects.ts';
import { useActorNames } from '../../parts/use-actor-names.ts';
import { logCopy } from './copy.ts';
import { withTyped } from './log-search.ts';
import { LogPage } from './LogPage.tsx';

/** The audit log of a project. */
export function ProjectLog({ projectId, filter }: { projectId: Id<'project'>; filter: string | undefined }) {
  return (
    <LogPage
      pageQuery={(page) => projectLogQuery(projectId, filter === undefined ? page : { ...page, filter })}
      sentOf={(typed) => withTyped(filter, typed)}
      searchQuery={(page) => projectLogSearchQuery(projectId, page)}
      names={useActorNames(projectId)}
      words={logCopy.project}
      omit="projectId"
    />
  );
}
