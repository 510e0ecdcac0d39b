import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustBeSelfOrAdministrator } from '../policy/actors.ts';
import { reachOf, type TokenReach } from '../policy/token-bounds.ts';
import { isAmong, readForMember } from '../../members/index.ts';
import { nameOrder, nameKey, type Slice } from '../../../platform/db/paging/list-order.ts';
import { readPage } from '../../../platform/db/paging/read-page.ts';
import { projectCounts, type ProjectCounts } from '../../projects/index.ts';

interface Row extends ProjectCounts {
  readonly project_id: string;
  readonly name: string;
  readonly lower_name: string;
  readonly is_owner: boolean;
}

/** A row is small: of a thousand projects the names and counts are read together. */
const batches = { firstBatchRows: 1_000, maxBatchRows: 1_000 };
const byName = nameOrder<Row>('users_QueryUserProjects', 'p', 'project_id', batches);

/** Lists the projects that a user is a member of, with counts of their devices. */
export const QueryUserProjects: Handler<'users_QueryUserProjects', TokenReach> = {
  async authorize({ tx, actor, input }) {
    await mustBeSelfOrAdministrator(tx, actor, input.userId);
    return reachOf(tx, actor);
  },

  async run({ tx, input, now }, { projectIds }) {
    const userId = ids.user.raw(input.userId);
    const { items, more } = await readPage(byName, input, {
      scope: userId,
      read: (slice) => readProjects(tx, { userId, projectIds }, slice, now),
      toItem: toOutput,
    });
    return { projects: items, ...more };
  },
};

type Project = Pick<Row, 'project_id' | 'name' | 'lower_name' | 'is_owner'>;

interface Member {
  /** Raw ids. */
  readonly userId: string;
  readonly projectIds: readonly string[] | undefined;
}

/** Selects the slice first, so that only its projects are counted. */
async function readProjects(tx: Database, member: Member, slice: Slice, now: Date): Promise<Row[]> {
  const projects = await readForMember<Project>(tx, member.userId, slice, {
    table: 'projects',
    alias: 'p',
    columns: sql`p.project_id, p.name, ${nameKey(sql`p.name`)} as lower_name, m.is_owner`,
    projectIds: member.projectIds,
    readByMembership: () => readMemberships(tx, member, slice),
  });
  const counts = await countsOf(tx, projects, now);
  return projects.map((project) => ({ ...project, ...(counts.get(project.project_id) ?? noCounts) }));
}

async function readMemberships(
  tx: Database,
  { userId, projectIds }: Member,
  slice: Slice,
): Promise<Project[]> {
  const { rows } = await sql<Project>`
    select p.project_id, p.name, ${nameKey(sql`p.name`)} as lower_name, m.is_owner
    from project_members m join projects p using (project_id)
    where m.user_id = ${userId} and ${isAmong(sql`m.project_id`, projectIds)} and ${slice.follows} ${slice.orderAndLimit}`.execute(
    tx,
  );
  return rows;
}

const noCounts: ProjectCounts = { devices: 0, connected: 0, pending: 0 };

/** A project that was deleted in between has no counts. */
async function countsOf(
  tx: Database,
  projects: readonly Project[],
  now: Date,
): Promise<ReadonlyMap<string, ProjectCounts>> {
  const projectIds = projects.map(({ project_id }) => project_id);
  const { rows } = await sql<ProjectCounts & Pick<Row, 'project_id'>>`
    select p.project_id, counted.* from unnest(${projectIds}::text[]) as p(project_id), lateral (${projectCounts(now)}) as counted`.execute(
    tx,
  );
  return new Map(rows.map(({ project_id, ...counts }) => [project_id, counts]));
}

function toOutput(row: Row) {
  return {
    projectId: ids.project.of(row.project_id),
    name: row.name,
    devices: row.devices,
    connectedDevices: row.connected,
    pendingCertificates: row.pending,
    isOwner: row.is_owner,
  };
}
