import type { Id } from '@corral/contract';
import { projectLogQuery, projectLogSearchQuery } from '../../data/queries-projects.ts';
import { useActorNames } from '../../parts/use-actor-names.ts';
import { logCopy } from './copy.ts';
import { withTyped } from './log-filter.ts';
import { LogPage } from './LogPage.tsx';
import { useFirstFilter } from './use-first-filter.ts';

/** The audit log of a project. */
export function ProjectLog(props: { projectId: Id<'project'>; filter: string | undefined }) {
  const { projectId } = props;
  const filter = useFirstFilter(props.filter);
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
