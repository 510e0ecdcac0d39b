import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { findProjectViewer, type ProjectViewer } from '../policy/projects.ts';
import { isAmong, readForMember } from '../../members/index.ts';
import { nameOrder, nameKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';

interface Row {
  readonly project_id: string;
  readonly name: string;
  readonly lower_name: string;
}

/** A row is small: of a thousand projects the names and counts are read together. */
const batches = { firstBatchRows: 1_000, maxBatchRows: 1_000 };
const byName = nameOrder<Row>('projects_QueryProjects', 'p', 'project_id', batches);

/** Lists the projects of a member; an administrator in a session sees all. */
export const QueryProjects: Handler<'projects_QueryProjects', ProjectViewer> = {
  authorize: ({ tx, actor }) => findProjectViewer(tx, actor),

  async run({ tx, input }, viewer) {
    const { items, more } = await readPage(byName, input, {
      read: (slice) => readProjects(tx, viewer, slice),
      toItem: (row) => ({ projectId: ids.project.of(row.project_id), name: row.name }),
    });
    return { projects: items, ...more };
  },
};

async function readProjects(
  tx: Database,
  { memberId, projectIds }: ProjectViewer,
  slice: Slice,
): Promise<Row[]> {
  const columns = sql`p.project_id, p.name, ${nameKey(sql`p.name`)} as lower_name`;
  const read = async (visible: ReturnType<typeof sql>): Promise<Row[]> => {
    const { rows } = await sql<Row>`
      select ${columns} from ${visible} and ${slice.follows} ${slice.orderAndLimit}`.execute(tx);
    return rows;
  };
  if (memberId === undefined) return read(sql`projects p where true`);
  return readForMember<Row>(tx, memberId, slice, {
    table: 'projects',
    alias: 'p',
    columns,
    projectIds,
    readByMembership: () =>
      read(sql`project_members m join projects p using (project_id)
        where m.user_id = ${memberId} and ${isAmong(sql`m.project_id`, projectIds)}`),
  });
}
