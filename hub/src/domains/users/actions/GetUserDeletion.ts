import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustManageAccount } from '../policy/accounts.ts';
import { refusalOfDeletion } from '../policy/user-deletion.ts';
import { activeAdministrators, liveSession } from '../sql/accounts.ts';
import { solelyOwnedProjects, solelyOwnedRepositories } from '../sql/user-deletion.ts';

/** The names in the answer; there may be more. */
const shownNames = 100;

/** Says what the deletion of a user would delete, end and leave. Nothing is locked: the deletion itself looks again. */
export const GetUserDeletion: Handler<'users_GetUserDeletion'> = {
  authorize: ({ tx, actor, input }) => mustManageAccount(tx, actor, input.userId),

  async run({ tx, input, now }) {
    const userId = ids.user.raw(input.userId);
    const projects = await solelyOwnedProjects(tx, userId);
    const projectIds = projects.map(({ projectId }) => projectId);
    const repositories = await solelyOwnedRepositories(tx, userId, projectIds);
    const administrators = await activeAdministrators(tx);
    const refusal = refusalOfDeletion({ administrators, userId, projects, repositories });
    const { memberships, ...counts } = await countCredentials(tx, userId, now);
    return {
      ...(refusal === undefined ? {} : { refusal }),
      projects: await describeProjects(tx, projectIds),
      projectCount: projects.length,
      repositories: await describeRepositories(
        tx,
        repositories.map(({ repositoryId }) => repositoryId),
      ),
      repositoryCount: repositories.length,
      membershipCount: Math.max(0, memberships - projects.length - repositories.length),
      ...counts,
    };
  },
};

interface Counts {
  readonly memberships: number;
  readonly tokenCount: number;
  readonly sessionCount: number;
}

async function countCredentials(tx: Database, userId: string, now: Date): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select (select count(*) from project_members where user_id = ${userId})
        + (select count(*) from repository_members where user_id = ${userId}) as memberships,
      (select count(*) from user_tokens where user_id = ${userId}) as "tokenCount",
      (select count(*) from user_sessions where user_id = ${userId} and ${liveSession(now)}) as "sessionCount"`.execute(
    tx,
  );
  return rows[0] ?? { memberships: 0, tokenCount: 0, sessionCount: 0 };
}

async function describeProjects(tx: Database, projectIds: readonly string[]) {
  const { rows } = await sql<{ project_id: string; name: string; devices: number }>`
    select project_id, name, (
      select coalesce(sum(devices), 0)::bigint from (
        select devices from project_counts c where c.project_id = p.project_id
        union all select devices from project_count_changes c where c.project_id = p.project_id
      ) as counted
    ) as devices
    from projects p where project_id = any(${[...projectIds]}) order by name_key(name) collate "C", project_id limit ${shownNames}`.execute(
    tx,
  );
  return rows.map(({ project_id, name, devices }) => ({
    projectId: ids.project.of(project_id),
    name,
    devices,
  }));
}

async function describeRepositories(tx: Database, repositoryIds: readonly string[]) {
  const { rows } = await sql<{ repository_id: string; name: string; packages: number }>`
    select repository_id, name,
      (select count(*) from packages k where k.repository_id = r.repository_id) as packages
    from repositories r where repository_id = any(${[...repositoryIds]}) order by name_key(name) collate "C", repository_id
    limit ${shownNames}`.execute(tx);
  return rows.map(({ repository_id, name, packages }) => ({
    repositoryId: ids.repository.of(repository_id),
    name,
    packageCount: packages,
  }));
}
