import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../policy/projects.ts';
import { nameOrder, nameKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { repositoryCounts } from '../../repositories/index.ts';

interface Row {
  readonly repository_id: string;
  readonly name: string;
  readonly lower_name: string;
  readonly visibility: 'Public' | 'Private';
  readonly linked_at: string;
  readonly packages: number;
}

const byName = nameOrder<Row>('projects_QueryProjectRepositories', 'r', 'repository_id');

/** Lists the repositories that are linked to a project, of which there are at most 1,000. */
export const QueryProjectRepositories: Handler<'projects_QueryProjectRepositories', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input }, { projectId }) {
    const { items, more } = await readPage(byName, input, {
      scope: projectId,
      read: (slice) => readRepositories(tx, projectId, slice),
      toItem: toOutput,
    });
    return { repositories: items, ...more };
  },
};

/** Selects the slice first, so that only its repositories are counted; `offset 0` keeps the order of all repositories from being scanned for the few that are linked. */
async function readRepositories(tx: Database, projectId: string, slice: Slice): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select r.*, ${nameKey(sql`r.name`)} as lower_name, counted.packages from (
      select r.repository_id, r.name, r.visibility, l.linked_at
      from project_repositories l
        cross join lateral (select * from repositories r where r.repository_id = l.repository_id offset 0) as r
      where l.project_id = ${projectId} and ${slice.follows} ${slice.orderAndLimit}
    ) as r, lateral (${repositoryCounts}) as counted ${slice.order}`.execute(tx);
  return rows;
}

function toOutput({ repository_id, name, visibility, linked_at, packages }: Row) {
  return {
    repositoryId: ids.repository.of(repository_id),
    name,
    displayName: name,
    slug: name,
    publicName: name,
    visibility,
    packageCount: packages,
    linkedAt: linked_at,
  };
}
