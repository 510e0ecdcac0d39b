import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { canSeeProject } from '../../policy/projects.ts';

/** Lists the projects of a member; an administrator in a session sees all. */
export const QueryProjects: Handler<'projects_QueryProjects', ReturnType<typeof canSeeProject>> = {
  authorize: ({ actor }) => canSeeProject(actor),

  async run({ tx }, isVisible) {
    const { rows } = await sql<{ project_id: string; name: string }>`
      select project_id, name from projects p where ${isVisible} order by lower(name), project_id`.execute(
      tx,
    );
    return { projects: rows.map((row) => ({ projectId: ids.project.of(row.project_id), name: row.name })) };
  },
};
