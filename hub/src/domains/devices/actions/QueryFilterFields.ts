import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { sampledLabels } from '../sql/label-names.ts';

interface Row {
  readonly name: string;
}

const maxNames = 500;

const byName = listOrder<Row>('projects_QueryFilterFields', 'asc', [sortKey('name', 'text')], {
  maxRows: maxNames,
  firstBatchRows: maxNames,
});

/** Lists the names of properties by the index of the project, and those of metadata that a sample of its devices has. */
export const QueryFilterFields: Handler<'projects_QueryFilterFields', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input }, { projectId }) {
    const { prefix = '' } = input;
    const { items, more } = await readPage(byName, input, {
      scope: `${projectId} ${JSON.stringify(prefix)}`,
      read: async ({ follows, orderAndLimit }) => {
        const isWanted = sql`starts_with(name, ${prefix}) and ${follows}`;
        const { rows } = await sql<Row>`
          select name from (
            (select name from project_property_names where project_id = ${projectId} and ${isWanted} ${orderAndLimit})
            union
            select name from (
              select 'label.' || key as name from (${sampledLabels(projectId)}) as sampled
            ) as labels where ${isWanted}
          ) as names ${orderAndLimit}`.execute(tx);
        return rows;
      },
      toItem: ({ name }) => name,
    });
    return { names: items, ...more };
  },
};
