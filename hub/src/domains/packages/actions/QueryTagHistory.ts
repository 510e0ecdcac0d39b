import { ids, type Actor } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustReadPackage, type PackageAccess } from '../../repositories/index.ts';
import { listOrder, sortKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';

interface Row {
  readonly tag: string;
  readonly moved_at: string;
  readonly move_id: string;
  readonly locked: boolean;
  readonly actor: Actor;
  readonly from_version_id: string | null;
  readonly from_name: string | null;
  readonly from_exists: boolean;
  readonly to_version_id: string | null;
  readonly to_name: string | null;
  readonly to_exists: boolean;
}

const newestFirst = listOrder<Row>('repositories_QueryTagHistory', 'desc', [
  sortKey('moved_at', 'timestamptz', sql`m.moved_at`),
  sortKey('move_id', 'text', sql`m.move_id`),
]);

/** Lists the moves of the tags of a package; only members of the repository see who moved them. */
export const QueryTagHistory: Handler<'repositories_QueryTagHistory', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustReadPackage(tx, actor, input.packageId),

  async run({ tx, input }, { packageId, isMember }) {
    const { items, more } = await readPage(newestFirst, input, {
      scope: `${packageId} ${input.tag ?? ''}`,
      read: (slice) => readMoves(tx, packageId, input.tag, slice),
      toItem: (row) => ({ ...toOutput(row), ...(isMember ? { actor: row.actor } : {}) }),
    });
    return { moves: items, ...more };
  },
};

async function readMoves(
  tx: Database,
  packageId: string,
  tag: string | undefined,
  slice: Slice,
): Promise<Row[]> {
  const isWanted = tag === undefined ? sql`true` : sql`m.tag = ${tag}`;
  const { rows } = await sql<Row>`
    select m.tag, m.moved_at, m.move_id, m.locked, m.actor, m.from_version_id, m.to_version_id,
      earlier.name as from_name, earlier.version_id is not null as from_exists, later.name as to_name, later.version_id is not null as to_exists
    from (
      select m.* from package_tag_moves m
      where m.package_id = ${packageId} and ${isWanted} and ${slice.follows} ${slice.orderAndLimit}
    ) as m
    left join package_versions earlier on earlier.version_id = m.from_version_id
    left join package_versions later on later.version_id = m.to_version_id ${slice.order}`.execute(tx);
  return rows;
}

function toOutput(row: Row) {
  return {
    tag: row.tag,
    movedAt: row.moved_at,
    ...(row.from_version_id === null
      ? {}
      : { from: versionOf(row.from_version_id, row.from_name, row.from_exists) }),
    ...(row.to_version_id === null ? {} : { to: versionOf(row.to_version_id, row.to_name, row.to_exists) }),
    locked: row.locked,
    eventId: ids.auditEvent.of(row.move_id),
  };
}

function versionOf(rawId: string, name: string | null, exists: boolean) {
  return { versionId: ids.packageVersion.of(rawId), ...(name === null ? {} : { name }), exists };
}
