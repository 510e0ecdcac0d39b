import type { Id } from '@corral/contract';
import { projectLogQuery } from '../../data/queries-projects.ts';
import { useActorNames } from '../../parts/use-actor-names.ts';
import { logCopy } from './copy.ts';
import { LogPage } from './LogPage.tsx';

/** The audit log of a project. */
export function ProjectLog({ projectId, filter }: { projectId: Id<'project'>; filter: string | undefined }) {
  return (
    <LogPage
      pageQuery={(page) => projectLogQuery(projectId, filter === undefined ? page : { ...page, filter })}
      names={useActorNames(projectId)}
      words={logCopy.project}
      omit="projectId"
    />
  );
}
