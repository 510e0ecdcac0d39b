import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeProjectAsPerson } from '../policy/projects.ts';
import { listOrder, nameKey, sortKey } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import type { SavedView, ViewsOwner } from '../sql/saved-views.ts';

type Nullable<Fields> = { readonly [Key in keyof Fields]-?: NonNullable<Fields[Key]> | null };
interface Row extends Nullable<Omit<SavedView, 'name'>> {
  readonly name: string;
  readonly name_key: string;
}

const byName = listOrder<Row>('projects_QuerySavedViews', 'asc', [
  sortKey('name_key', 'text', nameKey(sql`v.name`)),
  sortKey('name', 'text', sql`v.name`),
]);

/** Lists the views of the caller by name, in any case. */
export const QuerySavedViews: Handler<'projects_QuerySavedViews', ViewsOwner> = {
  authorize: ({ tx, actor, input }) => mustSeeProjectAsPerson(tx, actor, input.projectId),

  async run({ tx, input }, { projectId, userId }) {
    const { items, more } = await readPage(byName, input, {
      scope: `${projectId} ${userId}`,
      read: async (slice) => {
        const { rows } = await sql<Row>`
          select v.name, ${nameKey(sql`v.name`)} as name_key, v.filter, v.status, v.sort_order as order, v.columns from saved_views v
          where v.project_id = ${projectId} and v.user_id = ${userId} and ${slice.follows} ${slice.orderAndLimit}`.execute(
          tx,
        );
        return rows;
      },
      toItem: toOutput,
    });
    return { views: items, ...more };
  },
};

function toOutput({ name, filter, status, order, columns }: Row): SavedView {
  return {
    name,
    ...(filter === null ? {} : { filter }),
    ...(status === null ? {} : { status }),
    ...(order === null ? {} : { order }),
    ...(columns === null ? {} : { columns }),
  };
}
