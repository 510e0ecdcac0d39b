import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedUser, type Somebody } from '../../../../test/seed.ts';

const memberships = 250;
const others = 60;

/** A member of 250 projects with a device each, among 60 projects of others with `devicesElsewhere` newer devices each. */
async function seedMemberOfMany(hub: FreshExecutor, devicesElsewhere: number): Promise<Somebody> {
  const { db } = hub.database;
  const member = await seedUser(hub, 'member@example.org');
  const id = (tag: string) => sql`${sql.lit(tag)} || lpad(i::text, 21, 'x')`;
  const projects = sql`generate_series(1, ${memberships + others}::int) i`;
  const isOfOthers = sql`i % 5 = 0 and i <= ${others * 5}::int`;
  await sql`insert into all_projects (project_id) select ${id('p')} from ${projects}`.execute(db);
  await sql`insert into projects (project_id, name, created_at)
    select ${id('p')}, (array['Plant ', 'plant '])[i % 2 + 1] || i % 100, now() from ${projects}`.execute(db);
  await sql`insert into project_members (project_id, user_id, is_owner, added_at)
    select ${id('p')}, ${ids.user.raw(member.userId)}, i % 3 = 0, now() from ${projects} where not (${isOfOthers})`.execute(
    db,
  );
  await sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
    select ${id('d')}, ${id('p')}, '', ''::bytea, now() - i / 3 * interval '1 s' from ${projects} where not (${isOfOthers})
    union all select 'e' || i || 'x' || n, ${id('p')}, n::text, '', now() + interval '1 s'
    from ${projects}, generate_series(1, ${devicesElsewhere}::int) n where ${isOfOthers}`.execute(db);
  return member;
}

type PagedName = 'devices_QueryDevices' | 'projects_QueryProjects' | 'users_QueryUserProjects';

interface Answer {
  readonly devices?: object[];
  readonly projects?: object[];
  readonly next?: string | undefined;
}

/** All rows of a list, read in pages. */
async function readAll(
  hub: FreshExecutor,
  member: Somebody,
  name: PagedName,
  limit: number,
): Promise<object[]> {
  const rows: object[] = [];
  for (let after: string | undefined; ;) {
    const page = { limit, ...(after === undefined ? {} : { after }) };
    const input = name === 'users_QueryUserProjects' ? { userId: member.userId, ...page } : page;
    const answer: Answer = await hub.as(member, name, input as never);
    rows.push(...(answer.devices ?? answer.projects ?? []));
    after = answer.next;
    if (after === undefined) return rows;
  }
}

test.each([
  ['a few', 1],
  ['more than are checked at once', 100],
])(
  'a member of many projects reads all their rows once, in order, among %s rows of others',
  async (_what, elsewhere) => {
    await using hub = await freshExecutor();
    const { db } = hub.database;
    const member = await seedMemberOfMany(hub, elsewhere);
    const userId = ids.user.raw(member.userId);
    const devices = await sql<{ device_id: string }>`
    select device_id from devices join project_members using (project_id) where user_id = ${userId}
    order by devices.created_at desc, device_id desc`.execute(db);
    const projects = await sql<{ project_id: string; is_owner: boolean }>`
    select project_id, is_owner from projects join project_members using (project_id) where user_id = ${userId}
    order by name_key(name) collate "C", name, project_id`.execute(db);
    expect([devices.rows.length, projects.rows.length]).toEqual([memberships, memberships]);
    const deviceIds = devices.rows.map((row) => ids.device.of(row.device_id));
    const projectIds = projects.rows.map((row) => ids.project.of(row.project_id));
    for (const limit of [7, 60, 1000]) {
      const seen = await readAll(hub, member, 'devices_QueryDevices', limit);
      expect(seen.map((row) => (row as { deviceId: string }).deviceId)).toEqual(deviceIds);
      const shown = await readAll(hub, member, 'projects_QueryProjects', limit);
      expect(shown.map((row) => (row as { projectId: string }).projectId)).toEqual(projectIds);
    }
    const counted = await readAll(hub, member, 'users_QueryUserProjects', 60);
    expect(counted).toEqual(
      projects.rows.map(({ is_owner }, index) =>
        expect.objectContaining({ projectId: projectIds[index], isOwner: is_owner, devices: 1 }),
      ),
    );
  },
);
