import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { listOrder, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';

interface Row {
  readonly name: string;
}

const maxNames = 500;
/** Metadata has no index of its keys: those of the newest devices stand for all. */
const sampledDevices = 100;
/** How many bytes of metadata they may have together, as they are stored: a device may have 20,000 keys, most have ten. The newest device is always read. */
const sampledBytes = 262_144;

/** Nobody types longer ones. */
const maxKeyCharacters = 200;

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
              select 'label.' || key as name from (
                select metadata, sum(bytes) over (order by created_at desc, device_id desc rows unbounded preceding) - bytes as before
                from (
                  select metadata, created_at, device_id, pg_column_size(metadata) as bytes from devices
                  where project_id = ${projectId} order by created_at desc, device_id desc limit ${sampledDevices}
                ) as newest
              ) as sample cross join lateral jsonb_object_keys(sample.metadata) as key
              where before < ${sampledBytes} and length(key) <= ${maxKeyCharacters}
            ) as labels where ${isWanted}
          ) as names ${orderAndLimit}`.execute(tx);
        return rows;
      },
      toItem: ({ name }) => name,
    });
    return { names: items, ...more };
  },
};
