import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { newRawId } from '../../../auth/random.ts';
import { projectScene } from '../../../../test/device-scene.ts';
import { seedNode } from '../../../../test/seed.ts';

const { hub, project, member } = projectScene();
const hoursAgo = (hours: number) => new Date(hub.now().getTime() - hours * 3_600_000);

/** The hours since each connected and since that ended, the newest device first. */
const devices: Readonly<Record<string, readonly (readonly [number, number?])[]>> = {
  online: [[9, 8], [5]],
  never: [],
  recently: [
    [3, 1],
    [7, 6],
  ],
  'long ago': [[90, 80]],
  'online too': [[2]],
  'a day ago': [[25, 24]],
  'not yet': [],
};
const nameOf = new Map<string, string>();

beforeEach(async () => {
  const { db } = hub.database;
  const nodeId = ids.clusterNode.raw((await seedNode(hub)) as Id<'clusterNode'>);
  let age = 0;
  for (const [name, connections] of Object.entries(devices)) {
    const id = newRawId();
    nameOf.set(ids.device.of(id), name);
    age += 1;
    await sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, created_at)
      values (${id}, ${ids.project.raw(project.projectId)}, ${id}, '', ${name}, ${hoursAgo(100 + age)})`.execute(
      db,
    );
    for (const [since, until] of connections)
      await sql`insert into device_connections (connection_id, device_id, node_id, connected_at, ended_at)
        values (${newRawId()}, ${id}, ${nodeId}, ${hoursAgo(since)}, ${until === undefined ? null : hoursAgo(until)})`.execute(
        db,
      );
  }
});

const list = (input: { order?: 'lastSeen' | '-lastSeen'; limit?: number; after?: string }) =>
  hub.as(member, 'projects_QueryProjectDevices', { projectId: project.projectId, ...input });

test('a device was last seen when its last connection ended, or now while it is connected', async () => {
  const { devices: listed } = await list({});
  const seen = Object.fromEntries(
    listed.map(({ deviceId, lastSeenAt }) => [
      nameOf.get(deviceId),
      lastSeenAt === undefined
        ? undefined
        : Math.round((hub.now().getTime() - Date.parse(lastSeenAt)) / 36e5),
    ]),
  );
  expect(seen).toEqual({
    online: 0,
    never: undefined,
    recently: 1,
    'long ago': 80,
    'online too': 0,
    'a day ago': 24,
    'not yet': undefined,
  });
});

test.each([
  ['-lastSeen', ['online', 'online too', 'recently', 'a day ago', 'long ago', 'never', 'not yet']],
  ['lastSeen', ['long ago', 'a day ago', 'recently', 'online too', 'online', 'not yet', 'never']],
] as const)('sorted by %s, those that never connected come last', async (order, expected) => {
  const names = ({ devices: listed }: Awaited<ReturnType<typeof list>>) =>
    listed.map(({ deviceId }) => nameOf.get(deviceId));
  expect(names(await list({ order }))).toEqual(expected);
  const paged: (string | undefined)[] = [];
  for (let after: string | undefined; paged.length < expected.length;) {
    const page = await list({ order, limit: 1, ...(after === undefined ? {} : { after }) });
    paged.push(...names(page));
    after = page.next;
    hub.advance(1);
  }
  expect(paged).toEqual(expected);
});
