import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustWriteRepository, type RepositoryAccess } from '../policy/repositories.ts';
import { nameOrder, nameKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { projectCounts } from '../../projects/index.ts';

interface Row {
  readonly project_id: string;
  readonly name: string;
  readonly lower_name: string;
  readonly devices: number;
  readonly is_confirmed: boolean;
}

const byName = nameOrder<Row>('repositories_QueryRepositoryProjects', 'p', 'project_id');

/** Lists the projects that read a repository, for its members: others may not know of these projects. */
export const QueryRepositoryProjects: Handler<'repositories_QueryRepositoryProjects', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustWriteRepository(tx, actor, input.repositoryId),

  async run({ tx, input, now }, { repositoryId }) {
    const { items, more } = await readPage(byName, input, {
      scope: repositoryId,
      read: (slice) => readProjects(tx, repositoryId, slice, now),
      toItem: ({ project_id, name, devices, is_confirmed: isConfirmed }) => ({
        projectId: ids.project.of(project_id),
        name,
        devices,
        isConfirmed,
      }),
    });
    return { projects: items, ...more };
  },
};

/** Selects the slice first, so that only devices of its projects are counted. */
async function readProjects(tx: Database, repositoryId: string, slice: Slice, now: Date): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.*, ${nameKey(sql`p.name`)} as lower_name, counted.devices from (
      select p.project_id, p.name, l.is_confirmed from project_repositories l join projects p using (project_id)
      where l.repository_id = ${repositoryId} and ${slice.follows} ${slice.orderAndLimit}
    ) as p, lateral (${projectCounts(now)}) as counted ${slice.order}`.execute(tx);
  return rows;
}
