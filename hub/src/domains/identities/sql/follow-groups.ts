import { ids, type EventName, type Json } from '@corral/contract';
import { sql } from 'kysely';
import { readGroupMapping, type GroupRight } from '../../../auth/oidc/group-mapping.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { readSetting } from '../../instance/index.ts';
import { followGroupsInProjects } from '../../members/index.ts';
import { followAdministratorGroup } from '../../users/index.ts';

/** Somebody who signs in, and what the provider says of them. */
interface Member {
  /** The raw id. */
  readonly userId: string;
  /** Undefined: the provider says nothing of groups. */
  readonly groups: readonly string[] | undefined;
  readonly now: Date;
}

/** What followed from the groups of somebody. */
interface Followed {
  /** Whether groups are mapped, and the provider said nothing of them. */
  readonly isUnsaid: boolean;
  readonly changes: readonly (readonly [EventName, Readonly<Record<string, Json>>])[];
}

/** Gives a user the rights that the settings map its groups to, and takes those away that groups gave before. Without a word of the provider about groups, all stays. */
export async function followGroups(tx: Database, { userId, groups, now }: Member): Promise<Followed> {
  const mapping = await readMapping(tx);
  if (mapping.length > 0 && groups === undefined) return { isUnsaid: true, changes: [] };
  const rights = mapping.filter(({ group }) => groups?.includes(group));
  const changes = await followGroupsInProjects(tx, { userId, projects: projectsOf(rights), now });
  const isAdmin = rights.some(({ projectId }) => projectId === undefined);
  if (!(await followAdministratorGroup(tx, userId, isAdmin))) return { isUnsaid: false, changes };
  const data = { userId: ids.user.of(userId), isAdmin, fromGroups: true };
  return { isUnsaid: false, changes: [...changes, ['users_SetIsAdmin', data]] };
}

async function readMapping(tx: Database): Promise<readonly GroupRight[]> {
  return readGroupMapping(String((await readSetting(tx, 'oidcGroups')) ?? '')) ?? [];
}

/** Which of these raw ids are those of projects. */
export async function knownProjects(tx: Database, projectIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ project_id: string }>`
    select project_id from projects where project_id = any(${[...projectIds]}::text[])`.execute(tx);
  return new Set(rows.map(({ project_id: projectId }) => projectId));
}

/** Of several groups the one counts that gives more. */
function projectsOf(rights: readonly GroupRight[]): Map<string, boolean> {
  const projects = new Map<string, boolean>();
  for (const { projectId, isOwner } of rights)
    if (projectId !== undefined) projects.set(projectId, isOwner || projects.get(projectId) === true);
  return projects;
}
