import { ids, writtenValue, type Id, type Json } from '@corral/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newRawId } from '../../../auth/random.ts';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedDevice, seedProject, type SeededProject } from '../../../../test/seed.ts';

let hub: FreshExecutor;
let project: SeededProject;
beforeAll(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
});
afterAll(() => hub[Symbol.asyncDispose]());

type Value = string | number | boolean;

const setLabel = (deviceId: Id<'device'>, name: string, value?: Value) => {
  hub.advance(1);
  return hub.as(project.owner, 'devices_SetDeviceLabel', {
    deviceId,
    name,
    ...(value === undefined ? {} : { value }),
  });
};
const refusalOf = async (deviceId: Id<'device'>, name: string, value?: Value) =>
  (
    await hub.refusal(project.owner, 'devices_SetDeviceLabel', {
      deviceId,
      name,
      ...(value === undefined ? {} : { value }),
    })
  ).message;
const setMetadata = (deviceId: Id<'device'>, metadata: Record<string, Json>) =>
  hub.as(project.owner, 'devices_SetDeviceMetadata', { deviceId, metadata });
const metadataOf = async (deviceId: Id<'device'>) =>
  (await hub.as(project.owner, 'devices_GetDeviceDetails', { deviceId })).metadata;
const listed = async (of: SeededProject, filter?: string) =>
  (
    await hub.as(of.owner, 'projects_QueryProjectDevices', {
      projectId: of.projectId,
      ...(filter === undefined ? {} : { filter }),
    })
  ).devices;

/** A device with metadata; the newest of its project. */
async function addDevice(of: SeededProject, metadata: Record<string, Json>): Promise<Id<'device'>> {
  const device = newRawId();
  hub.advance(1);
  await sql`
    insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at, metadata)
    values (${device}, ${ids.project.raw(of.projectId)}, ${newRawId()}, '', ${hub.now()}, ${JSON.stringify(metadata)})`.execute(
    hub.database.db,
  );
  return ids.device.of(device);
}

describe('what people set', () => {
  test('stays when the device writes all of its metadata again, until they remove it', async () => {
    const { deviceId, tokenId } = await seedDevice(hub, project);
    const device = { actor: 'Device', kind: 'Device', deviceId, tokenId } as const;
    const report = (metadata: Record<string, Json>) =>
      hub.as(device, 'devices_SetDeviceMetadata', { deviceId, metadata });
    await report({ serial: 'A1', ring: 'stable', slot: 1 });
    await setLabel(deviceId, 'site', 'munich');
    await setLabel(deviceId, 'ring', 'canary');
    await report({ serial: 'A2', ring: 'stable' });
    expect(await metadataOf(deviceId)).toEqual({ serial: 'A2', ring: 'canary', site: 'munich' });
    await setMetadata(deviceId, { serial: 'A2', ring: 'canary', rack: { row: 4 } });
    await report({ serial: 'A3' });
    expect(await metadataOf(deviceId)).toEqual({ serial: 'A3', ring: 'canary', rack: { row: 4 } });
    await setLabel(deviceId, 'ring');
    await report({ ring: 'stable' });
    expect(await metadataOf(deviceId)).toEqual({ ring: 'stable', rack: { row: 4 } });
  });
});

describe('a label', () => {
  test('is set, changed and removed, and the rest of the metadata stays', async () => {
    const { deviceId } = await seedDevice(hub, project);
    await setMetadata(deviceId, { disks: ['a', 'b'], serial: 7 });
    expect(await setLabel(deviceId, ' site ', ' Munich ')).toEqual({});
    expect(await setLabel(deviceId, 'site', 'Berlin')).toEqual({ before: 'Munich' });
    expect(await setLabel(deviceId, 'serial', false)).toEqual({ before: 7 });
    expect(await metadataOf(deviceId)).toEqual({ disks: ['a', 'b'], serial: false, site: 'Berlin' });
    expect(await setLabel(deviceId, 'site')).toEqual({ before: 'Berlin' });
    expect(await setLabel(deviceId, 'site')).toEqual({});
    expect(await metadataOf(deviceId)).toEqual({ disks: ['a', 'b'], serial: false });
  });

  test('keeps the labels that others set at the same time', async () => {
    const { deviceId } = await seedDevice(hub, project);
    const names = Array.from({ length: 12 }, (_, index) => `label-${index}`);
    await Promise.all(names.map((name) => setLabel(deviceId, name, name)));
    expect(await metadataOf(deviceId)).toEqual(Object.fromEntries(names.map((name) => [name, name])));
  });

  test('is in the log with the value before and after, and only where it is another', async () => {
    const { deviceId } = await seedDevice(hub, project);
    await setLabel(deviceId, 'ring', 'canary');
    await setLabel(deviceId, 'ring', 'canary');
    await setLabel(deviceId, 'ring', 'stable');
    await setLabel(deviceId, 'ring');
    const { projectId } = project;
    const { events } = await hub.as(project.owner, 'projects_QueryAuditLog', {
      projectId,
      filter: 'event:devices_LabelChanged',
    });
    const ofDevice = events
      .map(({ data }) => data as Record<string, Json>)
      .filter((data) => data['deviceId'] === deviceId);
    expect(ofDevice).toEqual([
      { projectId, deviceId, name: 'ring', before: 'stable' },
      { projectId, deviceId, name: 'ring', before: 'canary', after: 'stable' },
      { projectId, deviceId, name: 'ring', after: 'canary' },
    ]);
    const { entries } = await hub.as(project.owner, 'devices_QueryTimeline', { deviceId, kinds: ['Action'] });
    expect(entries.map(({ title, detail }) => [title, detail])).toEqual([
      ['Label ring removed', 'It was stable.'],
      ['Label ring set to stable', 'It was canary.'],
      ['Label ring set to canary', undefined],
    ]);
  });

  test('is set by people only, not by the device', async () => {
    const device = await seedDevice(hub, project);
    const input = { deviceId: device.deviceId, name: 'ring', value: 'canary' };
    expect((await hub.refusal(device.actor, 'devices_SetDeviceLabel', input)).kind).toBe('Forbidden');
  });

  test('has a name that filters can write, and a short value', async () => {
    const { deviceId } = await seedDevice(hub, project);
    expect(await refusalOf(deviceId, ' ', 'x')).toBe('Label must not be empty.');
    for (const name of ['a b', 'a:b', '-a', 'a"', 'a,b', 'a@b'])
      expect(await refusalOf(deviceId, name, 'x')).toMatch(/must begin/);
    expect(await refusalOf(deviceId, 'x'.repeat(61), 'x')).toMatch(/at most 60/);
    expect(await refusalOf(deviceId, 'a', '  ')).toBe('Value must not be empty.');
    expect(await refusalOf(deviceId, 'a', 'a\u200Bb')).toMatch(/invisible/);
    expect(await refusalOf(deviceId, 'a', 'x'.repeat(101))).toMatch(/at most 100/);
    expect(await metadataOf(deviceId)).toEqual({});
  });

  test('does not replace a list or an object, nor make the metadata larger than 64 KiB', async () => {
    const { deviceId } = await seedDevice(hub, project);
    await setMetadata(deviceId, { disks: ['a'], text: 'x'.repeat(65_450) });
    expect(await refusalOf(deviceId, 'disks', 'a')).toMatch(/"disks" is a list or an object/);
    expect(await refusalOf(deviceId, 'disks')).toMatch(/"disks" is a list or an object/);
    expect(await refusalOf(deviceId, 'site', 'x'.repeat(90))).toMatch(/at most 64 KiB/);
    expect(Object.keys(await metadataOf(deviceId))).toEqual(['text', 'disks']);
  });
});

const labelName = fc.constantFrom('site', 'a.b', 'ring-2', 'städte', '7', 'has');
const labelText = fc
  .oneof(
    fc.constantFrom(
      'a b',
      'say "hi"',
      'a:b',
      '-x',
      'or',
      'true',
      '7',
      '007',
      '1kB',
      '1.50',
      'a*',
      '*',
      '\\',
      '\\"',
      'ä,ö',
      '(x)',
      '日本',
      '=',
    ),
    fc.string({ unit: fc.constantFrom(...'a "\\:*,()-.7=<>@ü'), minLength: 1, maxLength: 6 }),
  )
  .map((text) => text.trim())
  .filter((text) => text !== '');
const value = fc.oneof<[fc.Arbitrary<string>, fc.Arbitrary<Value>]>(
  labelText,
  fc.constantFrom(7, 0, -3, 1.5, true, false),
);

test('the filter of a badge in the list finds exactly the devices that show this label', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uniqueArray(fc.tuple(labelName, value), { selector: ([name]) => name, maxLength: 4 }), {
        minLength: 1,
        maxLength: 6,
      }),
      async (devices) => {
        const of = await seedProject(hub);
        for (const labels of devices) {
          const deviceId = await addDevice(of, {});
          for (const [name, set] of labels)
            await hub.as(of.owner, 'devices_SetDeviceLabel', { deviceId, name, value: set });
        }
        const all = await listed(of);
        const having = (wanted: (label: { name: string; value: string }) => boolean) =>
          all.filter(({ labels = [] }) => labels.some(wanted)).map(({ deviceId }) => deviceId);
        for (const { name, value: shown } of all.flatMap(({ labels = [] }) => labels)) {
          const found = async (filter: string) => (await listed(of, filter)).map(({ deviceId }) => deviceId);
          const filter = `label.${name}:${writtenValue(shown)}`;
          const wanted = having((label) => label.name === name && label.value === shown);
          expect([filter, await found(filter)]).toEqual([filter, wanted]);
          expect(await found(`-${filter}`)).toEqual(
            all.map(({ deviceId }) => deviceId).filter((deviceId) => !wanted.includes(deviceId)),
          );
          expect(await found(`has:label.${name}`)).toEqual(having((label) => label.name === name));
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('a list shows the first eight plain values of short metadata', async () => {
  const of = await seedProject(hub);
  await addDevice(of, { b: 'x', a: 1, c: true, list: ['x'], none: null, long: 'x'.repeat(101), empty: '' });
  await addDevice(of, Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`k${index}`, index])));
  await addDevice(of, { text: Array.from({ length: 5_000 }, () => newRawId()), site: 'x' });
  await addDevice(of, {});
  expect(
    (await listed(of)).map(({ labels }) => labels?.map(({ name, value: shown }) => `${name}:${shown}`)),
  ).toEqual([
    undefined,
    undefined,
    ['k0:0', 'k1:1', 'k2:2', 'k3:3', 'k4:4', 'k5:5', 'k6:6', 'k7:7'],
    ['a:1', 'b:x', 'c:true'],
  ]);
});

test('suggestions are the labels of the newest devices, the most frequent first', async () => {
  const of = await seedProject(hub);
  for (const site of ['Elm', 'Ash', 'Ash']) await addDevice(of, { site, list: [1] });
  await addDevice(of, { ring: 'canary' });
  expect(await hub.as(of.owner, 'projects_GetDeviceLabels', { projectId: of.projectId })).toEqual({
    labels: [
      { name: 'site', values: ['Ash', 'Elm'] },
      { name: 'ring', values: ['canary'] },
    ],
  });
});

test('the overview offers the labels that group devices, and none that tells each from the others', async () => {
  const of = await seedProject(hub);
  for (let index = 0; index < 40; index += 1)
    await addDevice(of, {
      serial: `s${index}`,
      site: `site ${index % 15}`,
      ring: index === 0 ? 'canary' : 'stable',
      nearly: `n${Math.min(index, 35)}`,
      list: [index % 2],
    });
  const { labels } = await hub.as(of.owner, 'projects_GetOverview', { projectId: of.projectId });
  expect(labels).toEqual(['ring', 'site']);
});

test('without a label to group by, all devices are one group', async () => {
  const of = await seedProject(hub);
  for (const site of ['Elm', 'Ash', 'Ash']) await addDevice(of, { site });
  const { groups, groupBy } = await hub.as(of.owner, 'projects_GetOverview', {
    projectId: of.projectId,
    groupBy: '',
  });
  expect([groupBy, groups]).toEqual(['', [{ devices: 3, connected: 0, disconnected: 3, waiting: 0 }]]);
});

test('several filters are counted in one call, also when one has a mistake', async () => {
  const of = await seedProject(hub);
  for (const site of ['Elm', 'Ash', 'Ash']) await addDevice(of, { site });
  const filters = ['label.site:Ash', 'gone.property:1', '', 'connected', 'label.site:('];
  const counted = await hub.as(of.owner, 'projects_CountFilteredDevices', {
    projectId: of.projectId,
    filters,
  });
  expect(counted.counts).toEqual([
    { count: 2, isAll: true },
    {},
    { count: 3, isAll: true },
    { count: 0, isAll: true },
    {},
  ]);
});
