import { ids, type Actor, type Id } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import { isLinked, type ProjectLink } from '../sql/project-links.ts';
import { notFound } from '../../../auth/actors.ts';
import { findProjectAccess, mustSeeProject } from './projects.ts';
import { mustShareRepository, ownsRepository } from '../../repositories/index.ts';

/** A project and a repository, by their ids. */
interface Pair {
  readonly projectId: Id<'project'>;
  readonly repositoryId: Id<'repository'>;
}

/** A link to be made or confirmed, by raw ids. */
export interface WantedLink extends ProjectLink {
  /** Whether an owner of the repository wants it. */
  readonly isByOwner: boolean;
}

const rawLink = ({ projectId, repositoryId }: Pair): ProjectLink => ({
  projectId: ids.project.raw(projectId),
  repositoryId: ids.repository.raw(repositoryId),
});

/** Requires an actor who may share the repository and sees the project, or, to confirm a link that exists, owns the repository. */
export async function mustLink(tx: Database, actor: Actor, pair: Pair): Promise<WantedLink> {
  if (!(await ownsLinked(tx, actor, pair))) await mustSeeProject(tx, actor, pair.projectId);
  const { isOwner } = await mustShareRepository(tx, actor, pair.repositoryId);
  return { ...rawLink(pair), isByOwner: isOwner };
}

/** Whether the actor owns the repository, and it is linked to the project. */
async function ownsLinked(tx: Database, actor: Actor, pair: Pair): Promise<boolean> {
  return (await ownsRepository(tx, actor, pair.repositoryId)) && isLinked(tx, rawLink(pair));
}

/** Requires an actor who sees the project, or an owner of a repository that is linked to it: to such an owner other projects do not exist. */
export async function mustUnlink(tx: Database, actor: Actor, pair: Pair): Promise<ProjectLink> {
  const isSeen = (await findProjectAccess(tx, actor, pair.projectId)) !== undefined;
  if (!isSeen && !(await ownsLinked(tx, actor, pair))) throw notFound('Project');
  return rawLink(pair);
}
