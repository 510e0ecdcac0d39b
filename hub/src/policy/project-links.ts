import { ids, type Actor, type Id } from '@corral/contract';
import type { Database } from '../db/connect.ts';
import { isLinked, type ProjectLink } from '../store/project-links.ts';
import { notFound } from './actors.ts';
import { findProjectAccess, mustSeeProject } from './projects.ts';
import { mustShareRepository, ownsRepository } from './repositories.ts';

/** A project and a repository, by their ids. */
interface Pair {
  readonly projectId: Id<'project'>;
  readonly repositoryId: Id<'repository'>;
}

/** Requires an actor who sees the project and may share the repository. */
export async function mustLink(tx: Database, actor: Actor, pair: Pair): Promise<ProjectLink> {
  const { projectId } = await mustSeeProject(tx, actor, pair.projectId);
  const { repositoryId } = await mustShareRepository(tx, actor, pair.repositoryId);
  return { projectId, repositoryId };
}

/** Requires an actor who sees the project, or an owner of a repository that is linked to it: to such an owner other projects do not exist. */
export async function mustUnlink(tx: Database, actor: Actor, pair: Pair): Promise<ProjectLink> {
  const link = {
    projectId: ids.project.raw(pair.projectId),
    repositoryId: ids.repository.raw(pair.repositoryId),
  };
  if ((await findProjectAccess(tx, actor, pair.projectId)) !== undefined) return link;
  const isOwner = await ownsRepository(tx, actor, pair.repositoryId);
  if (!isOwner || !(await isLinked(tx, link))) throw notFound('Project');
  return link;
}
