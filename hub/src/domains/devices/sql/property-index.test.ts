import { ids, type Json } from '@corral/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listedDevices } from '../../../../test/listed-devices.ts';
import { buildPropertyIndex } from '../jobs/build-property-index.ts';
import { deleteDevicesOfDeletedProjects } from '../jobs/delete-devices-of-deleted-projects.ts';
import { findIndexedPaths } from './indexed-paths.ts';
import { readDeviceFilter } from './filters/device-filter.ts';
import { BuildPropertyIndex } from '../internal/BuildPropertyIndex.ts';

const scene = listedDevices();
const db = () => scene.hub.database.db;
const projectId = () => ids.project.raw(scene.project.projectId);

/** Adds keys as a large project does when they are asked for. */
async function addKeys(places: readonly (readonly [string, string])[]): Promise<void> {
  for (const [property, path] of places)
    await sql`insert into fact_keys (project_id, property, path, used_at)
      values (${projectId()}, ${property}, ${path}, ${scene.hub.now()})`.execute(db());
}

async function states(): Promise<string[]> {
  const rows = await db().selectFrom('fact_keys').select('state').orderBy('key_id').execute();
  return rows.map(({ state }) => state);
}

/** Builds until nothing is left: transactions in other databases may delay it. */
async function build(): Promise<void> {
  do await buildPropertyIndex(scene.hub.executor);
  while ((await states()).some((state) => state !== 'Ready' && state !== 'Unfit'));
}

const useIndex = (isUsed: boolean) =>
  db()
    .updateTable('fact_keys')
    .set({ state: isUsed ? 'Ready' : 'Building' })
    .where('state', 'in', ['Ready', 'Building'])
    .execute();

const system = ['dev.nexigon.system.info', 'dev.nexigon.systemInfo'] as const;
const places: [string, string][] = [
  ...system.flatMap((name): [string, string][] => [
    [name, 'lax $."arch"'],
    [name, 'lax $."disks"."availableSpace"'],
  ]),
  ['', 'lax $."ring"'],
  ['', 'lax $."dotted.name"'],
  ['ota', 'lax $'],
  ['ota', 'lax $."version"'],
  ['ota', 'lax $."slots"'],
  ['ota', 'lax $."enabled"'],
  ['ota', 'lax $."count"'],
];
const filters: [string, string][] = [
  ['arch:aarch64,armv7l', 'ca'],
  ['system.disks.availableSpace<1GB', 'a'],
  ['system.disks.availableSpace>=9TB', 'ba'],
  ['label.ring:canary', 'a'],
  ['label.dotted.name=1', 'a'],
  ['has:label.ring', 'ba'],
  ['-label.ring:canary', 'dcb'],
  ['label.ring!=canary', 'b'],
  ['ota.version:2.*', 'ba'],
  ['ota.version!=2.4.1', 'b'],
  ['ota.version@"^2.3"', 'ba'],
  ['ota.version@"~2.4"', 'a'],
  ['not ota.version@"~2.4"', 'dcb'],
  ['ota.version@"^3"', ''],
  ['not ota.version@"^3"', 'dcba'],
  ['not ota.version:2.4.1', 'dcb'],
  ['ota.version<2024-01-01', 'ba'],
  ['ota.slots:y', 'a'],
  ['ota:broken', 'c'],
  ['ota.enabled:true', 'b'],
  ['ota.enabled:"true"', ''],
  ['ota.count=5 ota.count>4.5 ota.count<=5', 'b'],
  ['has:ota', 'cba'],
  ['has:ota.slots', 'a'],
  [`ota.version:${'x'.repeat(201)}`, ''],
];

test('the index finds what the documents have, once all devices have been read', async () => {
  await addKeys(places);
  for (const [filter, expected] of filters) expect(await scene.found(filter), filter).toBe(expected);
  await build();
  expect(new Set(await states())).toEqual(new Set(['Ready']));
  for (const [filter, expected] of filters) expect(await scene.found(filter), filter).toBe(expected);
  // The documents are no longer read.
  const kept = await db().deleteFrom('device_facts').returningAll().execute();
  expect(await scene.found('ota.version:2.*')).toBe('');
  await db().insertInto('device_facts').values(kept).execute();
  expect(await scene.found('ota.version:2.*')).toBe('ba');
});

/** What a filter selects as sets, and looked up for each device; a list chooses by how many devices there are. */
async function waysOf(text: string): Promise<[inSets: string, ofEach: string]> {
  const filter = await readDeviceFilter(db(), text, {
    projectId: projectId(),
    now: scene.hub.now(),
    db: db(),
  });
  const { inSets, ofEach } = filter ?? {};
  const { rows } = await sql<{ id: string; isInSets: boolean; isOfEach: boolean }>`
    select d.device_id as id, (${inSets}) is true as "isInSets", (${ofEach}) is true as "isOfEach"
    from devices d where d.project_id = ${projectId()} order by d.created_at desc`.execute(db());
  const lettersOf = (some: typeof rows) => some.map(({ id }) => scene.letters.get(`d_${id}`)).join('');
  return [lettersOf(rows.filter((row) => row.isInSets)), lettersOf(rows.filter((row) => row.isOfEach))];
}

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>('2.4.1', '2.5', '5', 'true', '', null, true, false, {}),
  fc.constantFrom(5, 4.75, -1, 1e21),
);
const element = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.record({ version: scalar }, { requiredKeys: [] }),
);
const value = fc.oneof(element, fc.array(element, { maxLength: 3 }));
const document: fc.Arbitrary<Json> = fc.oneof(
  value,
  fc.record({ version: value, slots: value, enabled: value, count: value }, { requiredKeys: [] }),
);
const asked = [
  ...['has:', '-has:'].flatMap((has) => ['ota', 'ota.version', 'ota.count'].map((field) => `${has}${field}`)),
  ...['ota', 'ota.version', 'ota.slots', 'ota.enabled', 'ota.count'].flatMap((field) =>
    [':2.4.1', ':2*', '!=5', '=5', '<5', '>=4.75', ':true', ':""', ':"5",false', '@"~2.4"', '@"*"'].map(
      (rest) => `${field}${rest}`,
    ),
  ),
];

test('the index follows every write of a document', { timeout: 120_000 }, async () => {
  const [deviceId] = [...scene.letters].find(([, letter]) => letter === 'd') ?? ['d_'];
  const device = { deviceId: deviceId as never, name: 'ota' };
  const { owner } = scene.project;
  const writes = fc.array(fc.option(document, { nil: undefined }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(writes, async (values) => {
      for (const next of values) {
        if (next === undefined)
          await scene.hub.as(owner, 'devices_RemoveProperty', device).catch(() => undefined);
        else await scene.hub.as(owner, 'devices_SetDeviceProperty', { ...device, value: next });
      }
      for (const filter of asked) {
        await useIndex(true);
        const byIndex = await scene.found(filter);
        expect(await waysOf(filter), filter).toEqual([byIndex, byIndex]);
        await useIndex(false);
        expect(byIndex, `${filter} of ${JSON.stringify(values.at(-1))}`).toBe(await scene.found(filter));
      }
      await useIndex(true);
    }),
    { numRuns: 10 },
  );
  await scene.hub.as(owner, 'devices_SetDeviceMetadata', {
    deviceId: device.deviceId,
    metadata: { ring: ['canary', 'late'] },
  });
  expect(await scene.found('label.ring:late')).toBe('d');
  await scene.hub.as(owner, 'devices_SetDeviceMetadata', { deviceId: device.deviceId, metadata: {} });
  expect(await scene.found('has:label.ring')).toBe('ba');
});

test('a document with too much at a place has the documents read again', async () => {
  const [deviceId] = [...scene.letters].find(([, letter]) => letter === 'd') ?? [];
  const device = { deviceId: deviceId as never, name: 'ota' };
  const slots = Array.from({ length: 20 }, (_, index) => `slot ${index}`);
  await scene.hub.as(scene.project.owner, 'devices_SetDeviceProperty', {
    ...device,
    value: { slots: [...slots.map(() => 'slot 0'), ...slots] },
  });
  expect((await states()).filter((state) => state === 'Unfit')).toHaveLength(0);
  await scene.hub.as(scene.project.owner, 'devices_SetDeviceProperty', {
    ...device,
    value: { slots: [...slots, 'slot 19', 'slot 20'] },
  });
  expect((await states()).filter((state) => state === 'Unfit')).toHaveLength(1);
  expect(await scene.found('ota.slots:"slot 20"')).toBe('d');
  expect(await scene.found('ota.slots:y')).toBe('a');
});

test('the indexed values of a deleted device go with it, and those of unused paths after 30 days', async () => {
  const [deviceId] = [...scene.letters].find(([, letter]) => letter === 'a') ?? [];
  const left = async () => (await db().selectFrom('device_facts').select('device_id').execute()).length;
  const before = await left();
  await scene.hub.as(scene.project.owner, 'devices_DeleteDevice', { deviceId: deviceId as never });
  await deleteDevicesOfDeletedProjects(scene.hub.executor);
  expect(await left()).toBeLessThan(before);
  expect(await left()).toBeGreaterThan(0);
  scene.hub.advance(31 * 86_400);
  await build();
  expect([await left(), await states()]).toEqual([0, []]);
});

test('keys are added for large projects only, as many as one may have', async () => {
  await db().deleteFrom('fact_keys').execute();
  for (const table of ['all_devices', 'device_texts'])
    await sql`delete from ${sql.table(table)} where device_id like 'more-%'`.execute(db());
  const place = { property: 'ota', path: 'lax $."version"' };
  const find = () => findIndexedPaths({ tx: db(), db: db() }, projectId(), [place], scene.hub.now());
  await find();
  expect(await states()).toEqual([]);
  await sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
    select 'more-' || n, ${projectId()}, 'more-' || n, '', now() from generate_series(1, 2000) as n`.execute(
    db(),
  );
  // Until the server analyzes the table, within a minute, it may expect almost no devices.
  await sql`update pg_class set reltuples = 1, relpages = 34 where relname = 'all_devices'`.execute(db());
  expect((await find()).keyOf(place)).toBeUndefined();
  expect(await states()).toEqual(['New']);
  await build();
  expect((await find()).keyOf(place)).toBeTypeOf('number');
  await addKeys(Array.from({ length: 39 }, (_, index) => ['ota', `lax $."${index}"`] as const));
  await scene.found('has:ota.another');
  expect(await states()).toHaveLength(40);
});

test('a search that is ended has asked for the keys that it needs', async () => {
  await db().deleteFrom('fact_keys').execute();
  const ended = db()
    .transaction()
    .execute(async (tx) => {
      await readDeviceFilter(tx, 'label.ring:canary', {
        projectId: projectId(),
        now: scene.hub.now(),
        db: db(),
      });
      await sql`set local statement_timeout = 1`.execute(tx);
      await sql`select pg_sleep(60)`.execute(tx);
    });
  await expect(ended).rejects.toMatchObject({ code: '57014' });
  expect(await states()).toEqual(['New']);
});

test('a value that is written while the keys do not know it yet is not missed', async () => {
  await db().deleteFrom('fact_keys').execute();
  await db().deleteFrom('device_facts').execute();
  const [deviceId = ''] = [...scene.letters].find(([, letter]) => letter === 'b') ?? [];
  const rawId = ids.device.raw(deviceId as never);
  const inserted = Promise.withResolvers<void>();
  const write = Promise.withResolvers<void>();
  const written = db()
    .transaction()
    .execute(async (tx) => {
      await sql`insert into device_properties (device_id, name, value, is_protected, updated_at)
        values (${rawId}, 'late', '"here"', false, now())`.execute(tx);
      inserted.resolve();
      await write.promise;
    });
  try {
    await inserted.promise;
    await addKeys([['late', 'lax $']]);
    const step = () => scene.hub.run(BuildPropertyIndex);
    expect(await step()).toBe('More');
    expect(await step()).toBe('Waiting');
  } finally {
    write.resolve();
    await written;
  }
  await build();
  expect(await states()).toEqual(['Ready']);
  expect(await scene.found('late:here')).toBe('b');
});
