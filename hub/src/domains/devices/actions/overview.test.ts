import { ids, maxDots, writtenValue, type Id, type Json, type Output } from '@corral/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newRawId } from '../../../auth/random.ts';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { RecordHistory } from '../../history/internal/RecordHistory.ts';
import { RecordVersions } from '../../history/internal/RecordVersions.ts';
import { RecordSilences } from '../internal/RecordSilences.ts';
import { seedNode, seedProject, type SeededProject } from '../../../../test/seed.ts';

let hub: FreshExecutor;
let nodeId: string;
let deadNodeId: string;
beforeAll(async () => {
  hub = await freshExecutor();
  hub.advance(300);
  deadNodeId = ids.clusterNode.raw(await seedNode(hub, 'south'));
  hub.advance(60);
  nodeId = ids.clusterNode.raw(await seedNode(hub, 'north'));
  // In the first minute of a node nothing is recorded.
  await sql`update cluster_nodes set joined_at = joined_at - interval '2 minutes' where node_id = ${nodeId}`.execute(
    hub.database.db,
  );
});
afterAll(() => hub[Symbol.asyncDispose]());

/** What the overview and the lists tell of a device. */
interface Sample {
  readonly site: Json | undefined;
  readonly name: string | undefined;
  readonly connection: 'none' | 'open' | 'open twice' | 'lost' | 'ended';
  readonly endedMinutesAgo: number;
  /** How long it was away between four earlier connections; undefined without them. */
  readonly absenceMinutes: number | undefined;
  readonly pending: number;
  readonly version: Json | undefined;
  readonly installed: string | undefined;
}

const site = fc.oneof(
  {
    arbitrary: fc.constantFrom('Ashford', 'ashford', 'Elm Park', 'say "hi"', '7', '007', 'true', ''),
    weight: 6,
  },
  { arbitrary: fc.constantFrom<Json | undefined>(7, true, null, undefined), weight: 4 },
  { arbitrary: fc.constantFrom<Json>([], ['a', 'b'], { a: 1 }, 'x'.repeat(300)), weight: 1 },
);
const sample: fc.Arbitrary<Sample> = fc.record({
  site,
  name: fc.constantFrom('press-2', 'press-10', 'Press-2', undefined),
  connection: fc.constantFrom('none', 'open', 'open twice', 'lost', 'ended'),
  endedMinutesAgo: fc.constantFrom(1, 59, 61, 600),
  absenceMinutes: fc.constantFrom(undefined, 1, 100),
  pending: fc.constantFrom(0, 0, 1, 2),
  version: fc.constantFrom<Json | undefined>('1.4.0', '1.3.2', '1.4.0', 14, { of: 1 }, undefined),
  installed: fc.constantFrom('2.4.1', '2.4.0', undefined),
});

async function add(project: SeededProject, one: Sample): Promise<string> {
  const { db } = hub.database;
  const device = newRawId();
  const at = (minutes: number) => new Date(hub.now().getTime() - minutes * 60_000);
  await sql`
    insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at, name, metadata)
    values (${device}, ${ids.project.raw(project.projectId)}, ${newRawId()}, '', ${at(700)}, ${one.name ?? null},
      ${JSON.stringify(one.site === undefined ? {} : { site: one.site })})`.execute(db);
  const connections = {
    none: [],
    open: [nodeId],
    'open twice': [deadNodeId, nodeId],
    lost: [deadNodeId],
    ended: [nodeId],
  };
  for (const node of connections[one.connection])
    await sql`
      insert into device_connections (connection_id, device_id, node_id, connected_at, ended_at, end_reason)
      values (${newRawId()}, ${device}, ${node}, ${at(650)}, ${one.connection === 'ended' ? at(one.endedMinutesAgo) : null}, ${
        one.connection === 'ended' ? 'Disconnected' : null
      })`.execute(db);
  for (let count = 1; one.absenceMinutes !== undefined && count <= 4; count += 1) {
    const endedAt = 650 + one.absenceMinutes + (count - 1) * (one.absenceMinutes + 2);
    await sql`
      insert into device_connections (connection_id, device_id, node_id, connected_at, ended_at, end_reason)
      values (${newRawId()}, ${device}, ${nodeId}, ${at(endedAt + 2)}, ${at(endedAt)}, 'Disconnected')`.execute(
      db,
    );
  }
  for (let count = 0; count < one.pending; count += 1)
    await sql`
      insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
      values (${newRawId()}, ${device}, ${newRawId()}, 'Pending', ${at(30 + count)})`.execute(db);
  const properties = {
    'app.version': one.version,
    'corral.installed': one.installed && { package: 'press', version: one.installed },
  };
  for (const [name, value] of Object.entries(properties))
    if (value !== undefined)
      await sql`
        insert into device_properties (device_id, name, value, is_protected, updated_at)
        values (${device}, ${name}, ${JSON.stringify(value)}, false, ${hub.now()})`.execute(db);
  return device;
}

const overview = (project: SeededProject) =>
  hub.as(project.owner, 'projects_GetOverview', { projectId: project.projectId });

test('each number is that of the list of its filter, and each dot the state of a device', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sample, { maxLength: 20 }), async (samples) => {
      const project = await seedProject(hub);
      for (const one of samples) await add(project, one);
      const count = async (filter: string) =>
        (
          await hub.as(project.owner, 'projects_CountProjectDevices', {
            projectId: project.projectId,
            filter,
          })
        ).count;
      await hub.run(RecordSilences);
      const shown = await overview(project);
      expect(shown.counts).toEqual({
        devices: samples.length,
        connected: await count('connected'),
        disconnected: await count('not connected and not cert:pending'),
        waiting: await count('not connected and cert:pending'),
      });
      expect(shown.silent).toBe(await count('offline>1h'));
      const need = (kind: string) => shown.needs.find((one) => one.kind === kind)?.count ?? 0;
      expect([need('PendingCertificates'), need('SilentDevices')]).toEqual([
        await count('cert:pending'),
        await count('silent'),
      ]);
      for (const group of shown.groups.filter(({ isOthers }) => isOthers !== true)) {
        const of = filterOfGroup(group.value);
        expect([of, group.devices]).toEqual([of, await count(of)]);
        expect([of, group.connected]).toEqual([of, await count(`${of} and connected`)]);
        expect([of, group.waiting]).toEqual([of, await count(`${of} and not connected and cert:pending`)]);
      }
      expect(shown.versions.some(({ field }) => field === 'corral.installed.version')).toBe(
        samples.some(({ installed }) => installed !== undefined),
      );
      for (const { field, values } of shown.versions)
        for (const { value, devices } of values)
          expect([value, devices]).toEqual([value, await count(`${field}=${value}`)]);
      await expectDots(project, shown);
      await expectRecorded(project, shown);
    }),
    { numRuns: 10 },
  );
});

test('more devices than a picture can show are only counted', async () => {
  const project = await seedProject(hub);
  const addMany = (count: number) =>
    sql`
      insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at, metadata)
      select substr(md5(random()::text), 1, 22), ${ids.project.raw(project.projectId)}, substr(md5(random()::text), 1, 22), '', ${hub.now()},
        jsonb_build_object('site', 'Site ' || n % 50) from generate_series(1, ${count}::int) as n`.execute(
      hub.database.db,
    );
  await addMany(maxDots);
  const whole = await overview(project);
  expect(Buffer.from(whole.dots, 'base64')).toHaveLength(maxDots / 4);
  await addMany(1);
  const counted = await overview(project);
  expect([counted.dots, counted.counts.devices]).toEqual(['', maxDots + 1]);
  expect(counted.groups.map(({ devices }) => devices)).toEqual([401, ...Array(39).fill(400), 4000]);
});

/** As the console writes it. */
function filterOfGroup(value: string | undefined): string {
  return value === undefined ? 'not has:label.site' : `label.site:${writtenValue(value)}`;
}

/** The history of this hour has the versions of the overview. */
async function expectRecorded(
  project: SeededProject,
  { versions }: Output<'projects_GetOverview'>,
): Promise<void> {
  await hub.run(RecordHistory);
  await hub.run(RecordVersions);
  const { fields } = await hub.as(project.owner, 'projects_QueryVersionHistory', {
    projectId: project.projectId,
    range: 'Day',
  });
  const last = fields.map(({ field, values, others }) => ({
    field,
    values: values.map(({ value, devices }) => ({ value, devices: devices.at(-1) })),
    others: others.at(-1),
  }));
  expect(last).toEqual(versions);
}

const states = ['Disconnected', 'Connected', 'Waiting'];

async function expectDots(
  project: SeededProject,
  { dots, groups }: Output<'projects_GetOverview'>,
): Promise<void> {
  const bytes = Buffer.from(dots, 'base64');
  const total = groups.reduce((sum, { devices }) => sum + devices, 0);
  expect(bytes).toHaveLength(Math.ceil(total / 4));
  const found: Id<'device'>[] = [];
  for (let index = 0; index < total; index += 1) {
    const dot = await hub.as(project.owner, 'projects_FindOverviewDevice', {
      projectId: project.projectId,
      index,
    });
    expect(dot.state).toBe(states[((bytes[index >> 2] ?? 0) >> ((index % 4) * 2)) & 3]);
    found.push(dot.deviceId);
  }
  expect(new Set(found).size).toBe(total);
  const after = { projectId: project.projectId, index: total };
  expect(await hub.refusal(project.owner, 'projects_FindOverviewDevice', after)).toMatchObject({
    message: 'Device not found.',
  });
}
