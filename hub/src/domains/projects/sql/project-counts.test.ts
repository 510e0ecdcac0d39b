import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { newRawId } from '../../../auth/random.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { waitingLocks } from '../../../../test/seed.ts';
import { cleanUpLostNodes } from '../../instance/sql/cluster-nodes.ts';
import { recordEnd } from '../../devices/sql/connection-ends.ts';
import { recordConnection } from '../../devices/sql/connections.ts';
import { liveConnection } from '../../devices/sql/presence.ts';
import { deleteDevices } from '../../devices/sql/device-deletion.ts';
import { deleteSomeDevicesOfDeletedProjects } from './deleted-project-devices.ts';
import { foldProjectCounts, projectCounts } from './project-counts.ts';

const projectIds = ['Farm', 'Mine', 'Plant'];
const nodeIds = ['n1', 'n2', 'n3'];

/** The devices whose number of pending certificates is not that of their rows. */
const miscounted = sql<{ device_id: string }>`
  select device_id from all_devices d where pending_certificates <> (
    select count(*) from device_certificates c where c.device_id = d.device_id and c.status = 'Pending')`;

/** The counts of all projects by the sums, and by counting the rows, of the same moment. */
async function bothCounts(db: Database, now: Date) {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const bySums = await sql`
        select p.project_id, counted.* from projects p, lateral (${projectCounts(now)}) as counted order by 1`.execute(
        tx,
      );
      const byRows = await sql`
        select p.project_id, count(d.device_id) as devices, coalesce(sum((select count(*) from device_certificates c
          where c.device_id = d.device_id and c.status = 'Pending')), 0)::bigint as pending,
          count(*) filter (where ${liveConnection(now)}) as connected
        from projects p left join devices d using (project_id) group by p.project_id order by 1`.execute(tx);
      return { bySums: bySums.rows, byRows: byRows.rows };
    });
}

async function seed({ database: { db }, now }: FreshExecutor): Promise<void> {
  const rows = projectIds.map((id) => ({ project_id: id, name: id, created_at: now() }));
  await db
    .insertInto('all_projects')
    .values(rows.map(({ project_id }) => ({ project_id })))
    .execute();
  await db.insertInto('projects').values(rows).execute();
  for (const node of nodeIds) await join(db, node, now());
}

async function join(db: Database, nodeId: string, now: Date): Promise<void> {
  const lease = new Date(now.getTime() + 15_000);
  await sql`insert into cluster_nodes (node_id, joined_at, lease_until, last_heartbeat_at) values (${nodeId}, ${now}, ${lease}, ${now})
    on conflict (node_id) do update set lease_until = excluded.lease_until`.execute(db);
}

const deviceIds = Array.from({ length: 12 }, (_, index) => `device ${index}`);
const openConnections: string[] = [];

type Step = (db: Database, now: Date) => Promise<unknown>;

/** What hubs do to the rows that are counted, through the same statements where a function of the store runs them. */
const steps = {
  add:
    (device: number, project: number): Step =>
    (db, now) =>
      sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
      values (${deviceIds[device]}, ${projectIds[project]}, ${deviceIds[device]}, '', ${now})
      on conflict do nothing`.execute(db),
  certify:
    (device: number, status: string): Step =>
    (db, now) =>
      sql`insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
      select ${newRawId()}, device_id, ${newRawId()}, ${status}, ${now}
      from (select device_id from devices where device_id = ${deviceIds[device]} for key share) as d`.execute(
        db,
      ),
  decide:
    (device: number, from: string, to: string): Step =>
    (db) =>
      sql`update device_certificates set status = ${to} where device_id = ${deviceIds[device]} and status = ${from}`.execute(
        db,
      ),
  forget:
    (device: number): Step =>
    (db) =>
      sql`delete from device_certificates where device_id = ${deviceIds[device]}`.execute(db),
  connect:
    (device: number, node: number): Step =>
    async (db, now) => {
      const connectionId = newRawId();
      const ids = { deviceId: deviceIds[device] ?? '', nodeId: nodeIds[node] ?? '' };
      const none = { certificateId: undefined, tokenId: undefined, address: undefined };
      if ((await recordConnection(db, { connectionId, ...ids, ...none }, now)) !== undefined)
        openConnections.push(connectionId);
    },
  end:
    (index: number): Step =>
    (db, at) =>
      recordEnd(db, {
        connectionId: openConnections.at(-1 - index) ?? '',
        reason: 'Disconnected',
        at,
      }),
  forgetEnded: (): Step => (db) =>
    db.deleteFrom('device_connections').where('ended_at', 'is not', null).execute(),
  remove:
    (device: number): Step =>
    (db, now) =>
      db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ project_id: string }>`
          select project_id from devices where device_id = ${deviceIds[device]}`.execute(tx);
        for (const { project_id } of rows)
          await deleteDevices(tx, project_id, [deviceIds[device] ?? ''], now);
      }),
  lose:
    (node: number): Step =>
    (db, now) =>
      db
        .updateTable('cluster_nodes')
        .set({ lease_until: now })
        .where('node_id', '=', nodeIds[node] ?? '')
        .execute(),
  join:
    (node: number): Step =>
    (db, now) =>
      join(db, nodeIds[node] ?? '', now),
  cleanUp: (): Step => (db, now) => cleanUpLostNodes(db, now),
  fold: (): Step => (db) => db.transaction().execute((tx) => foldProjectCounts(tx)),
};

const device = fc.nat(deviceIds.length - 1);
const third = fc.nat(2);
const status = fc.constantFrom('Pending', 'Active', 'Rejected');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(device, third).map((args) => steps.add(...args)) },
  { weight: 3, arbitrary: fc.tuple(device, status).map((args) => steps.certify(...args)) },
  fc.tuple(device, status, status).map((args) => steps.decide(...args)),
  device.map(steps.forget),
  { weight: 6, arbitrary: fc.tuple(device, third).map((args) => steps.connect(...args)) },
  { weight: 3, arbitrary: fc.nat(5).map(steps.end) },
  fc.constant(steps.forgetEnded()),
  device.map(steps.remove),
  third.map(steps.lose),
  third.map(steps.join),
  fc.constant(steps.cleanUp()),
  { weight: 2, arbitrary: fc.constant(steps.fold()) },
);

/** Concurrent steps may end in a deadlock or a missing row, which the hub retries or reports. */
const attempt = (run: Step, db: Database, now: Date): Promise<unknown> =>
  run(db, now).catch((error: { code?: string }) => expect(error.code).toMatch(/^(40P01|23503)$/));

test('the sums equal the rows, whatever is written at the same time', async () => {
  await using hub = await freshExecutor();
  const { db } = hub.database;
  await seed(hub);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 12 }),
      async (rounds) => {
        for (const together of rounds) {
          await Promise.all(together.map((run) => attempt(run, db, hub.now())));
          const { bySums, byRows } = await bothCounts(db, hub.now());
          expect(bySums).toEqual(byRows);
          expect((await miscounted.execute(db)).rows).toEqual([]);
        }
      },
    ),
    { numRuns: 20 },
  );
});

test('a reader sees each change once while changes are written and added to the counts', async () => {
  await using hub = await freshExecutor();
  const { db } = hub.database;
  await seed(hub);
  let isOver = false;
  const repeatedly = async (work: () => Promise<unknown>): Promise<void> => {
    while (!isOver) await work();
  };
  const folding = repeatedly(() => steps.fold()(db, hub.now()));
  const reading = repeatedly(async () => {
    const { bySums, byRows } = await bothCounts(db, hub.now());
    expect(bySums).toEqual(byRows);
  });
  for (let round = 0; round < 15; round += 1)
    await Promise.all(
      deviceIds.flatMap((_, index) => [
        attempt(steps.add(index, index % 3), db, hub.now()),
        attempt(steps.connect(index, round % 3), db, hub.now()),
        attempt(steps.remove((index * 5 + round) % deviceIds.length), db, hub.now()),
      ]),
    );
  isOver = true;
  await Promise.all([folding, reading]);
});

test.each([
  ['a decision on its certificate', steps.decide(0, 'Pending', 'Active')],
  ['the deletion of its certificate', steps.forget(0)],
  ['the end of its connection', steps.cleanUp()],
] as const)('a device is subtracted once when it is deleted during %s', async (_what, change) => {
  await using hub = await freshExecutor();
  const { db } = hub.database;
  await seed(hub);
  await steps.add(0, 0)(db, hub.now());
  await steps.certify(0, 'Pending')(db, hub.now());
  await steps.connect(0, 0)(db, hub.now());
  await steps.lose(0)(db, hub.now());
  const changing = await db.startTransaction().execute();
  await change(changing, hub.now());
  const removing = steps.remove(0)(db, hub.now());
  await vi.waitFor(async () => expect(await waitingLocks(db)).toBeGreaterThan(0));
  await changing.commit().execute();
  await removing;
  const { rows } = await sql`select sum(devices)::int as devices, sum(pending_certificates)::int as pending,
    sum(open_connections)::int as connections from project_count_changes`.execute(db);
  expect(rows).toEqual([{ devices: 0, pending: 0, connections: 0 }]);
});

test('a deleted project leaves no counts', async () => {
  await using hub = await freshExecutor();
  const { db } = hub.database;
  await seed(hub);
  for (const index of deviceIds.keys()) {
    await steps.add(index, index % 3)(db, hub.now());
    await steps.certify(index, 'Pending')(db, hub.now());
    await steps.connect(index, 0)(db, hub.now());
    await steps.connect(index, 1)(db, hub.now());
  }
  await steps.fold()(db, hub.now());
  const { bySums } = await bothCounts(db, hub.now());
  expect(bySums[0]).toEqual({ project_id: 'Farm', devices: 4, pending: 4, connected: 4 });
  await db.deleteFrom('projects').execute();
  while (!(await deleteSomeDevicesOfDeletedProjects(db)).isComplete);
  await steps.fold()(db, hub.now());
  for (const table of ['project_counts', 'project_count_changes', 'additional_connections'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
});
