import type { Id } from '@corral/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listedDevices } from '../../../../test/listed-devices.ts';

const scene = listedDevices();

const selections: [string, string][] = [
  ['', 'dcba'],
  ['all', 'dcba'],
  ['pump', 'ba'],
  ['PUMP-12', 'b'],
  ['pump*', 'ba'],
  ['"Pump 3"', 'a'],
  ['żUr', 'd'],
  ['old-agent', 'c'],
  ['name:"Pump 3"', 'a'],
  ['name:Pump*,pump*', 'ba'],
  ['name!="Pump 3"', 'db'],
  ['not name:"Pump 3"', 'dcb'],
  ['has:name', 'dba'],
  ['hostname:pump-*', 'ba'],
  ['connected', 'ca'],
  ['connected:false', 'db'],
  ['connected!=true', 'db'],
  ['status:warning', 'a'],
  ['status:error,OFFLINE', 'dcb'],
  ['status:healthy', ''],
  ['status!=offline', 'ca'],
  ['offline>7d', 'b'],
  ['offline<1h', 'd'],
  ['uptime>1h', 'a'],
  ['age>=3d', 'ba'],
  ['cert:pending', 'ca'],
  ['cert:active -cert:pending', 'b'],
  ['cert!=active', 'dc'],
  ['has:cert', 'cba'],
  ['certAge>20d', 'a'],
  ['has:token', 'a'],
  ['token:gate*', ''],
  ['arch:aarch64,armv7l', 'ca'],
  ['os:Debian', 'ba'],
  ['kernel:6.*', 'ba'],
  ['agent:1.4.*', 'a'],
  ['has:agent', 'a'],
  ['agent@"^1.4"', 'a'],
  ['agent@">=1.5"', ''],
  ['label.ring@"*"', ''],
  ['ota.version@">=2.4.1, <3" or agent@"<1"', 'a'],
  ['not agent:1.4.2', 'dcb'],
  ['has:node', 'ca'],
  ['flapping', 'd'],
  ['system.disks.availableSpace<1GB', 'a'],
  ['system.disks.availableSpace>=9TB', 'ba'],
  ['label.ring:canary', 'a'],
  ['label.dotted.name=1', 'a'],
  ['has:label.ring', 'ba'],
  ['-label.ring:canary', 'dcb'],
  ['site.region:north', 'a'],
  ['site.region!=north', 'b'],
  ['not site.region:north', 'dcb'],
  ['ota.version:2.*', 'ba'],
  ['ota.version:2.4.1', 'a'],
  ['ota.slots:y', 'a'],
  ['ota:broken', 'c'],
  ['ota.enabled:true', 'b'],
  ['ota.enabled:"true"', ''],
  ['ota.count=5 ota.count>4.5 ota.count<=5', 'b'],
  ['has:ota', 'cba'],
  ['has:ota.version', 'ba'],
  ['connected site.region:north not ota.version:2.4.1', ''],
  ['offline>7d or status:error', 'cb'],
];

describe('a filter selects devices', () => {
  test.each(selections)('%s', async (filter, expected) => expect(await scene.found(filter)).toBe(expected));
});

test('each id selects its device, with its tag and without', async () => {
  for (const [deviceId, letter] of scene.letters) {
    expect(await scene.found(`id:${deviceId}`)).toBe(letter);
    expect(await scene.found(deviceId)).toBe(letter);
  }
  expect(await scene.found(`node:cluster_node_${scene.nodeId}`)).toBe('ca');
});

test('filters are joined as sets are', async () => {
  const atoms = await Promise.all(
    selections
      .filter(([filter]) => filter !== '')
      .map(async ([filter, letters_]) => ({ filter: `(${filter})`, set: new Set(letters_) })),
  );
  const everything = [...'abcd'];
  const anyAtom = fc.constantFrom(...atoms);
  const { tree } = fc.letrec<{ tree: { filter: string; set: Set<string> } }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      anyAtom,
      tie('tree').map(({ filter, set }) => ({
        filter: `not (${filter})`,
        set: new Set(everything.filter((one) => !set.has(one))),
      })),
      fc.tuple(tie('tree'), tie('tree')).map(([one, other]) => ({
        filter: `(${one.filter}) (${other.filter})`,
        set: new Set([...one.set].filter((letter) => other.set.has(letter))),
      })),
      fc.tuple(tie('tree'), tie('tree')).map(([one, other]) => ({
        filter: `(${one.filter}) or (${other.filter})`,
        set: new Set([...one.set, ...other.set]),
      })),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(tree, async ({ filter, set }) => {
      expect([...(await scene.found(filter))].toSorted()).toEqual([...set].toSorted());
    }),
    { numRuns: 60 },
  );
});

describe('a mistake is refused, with where it is and what may be meant', () => {
  const mistakes: [string, string][] = [
    [
      'connected site.regoin:north',
      'The filter has a mistake at character 11: there is no field "site.regoin". Did you mean site.region?',
    ],
    [
      'hostnam:a',
      'The filter has a mistake at character 1: there is no field "hostnam". Did you mean hostname?',
    ],
    [
      'region:north',
      'The filter has a mistake at character 1: there is no field "region". Did you mean site.region?',
    ],
    [
      'foreign.property:1',
      'The filter has a mistake at character 1: there is no field "foreign.property". Put it in quotation marks to look for the text.',
    ],
    [
      'status:warm',
      'The filter has a mistake at character 8: "status" is one of healthy, warning, error and offline.',
    ],
    ['connected:yes', 'The filter has a mistake at character 11: "connected" is one of true and false.'],
    [
      'offline>soon',
      'The filter has a mistake at character 9: write a duration here, such as 30s, 10min, 12h, 7d or 4w.',
    ],
    [
      'offline:7d',
      'The filter has a mistake at character 1: "offline" can be compared by <, <=, > and >= only.',
    ],
    ['name<b', 'The filter has a mistake at character 1: "name" can be compared by :, = and != only.'],
    [
      'ota.count>many',
      'The filter has a mistake at character 11: "ota.count" is compared with a number here, such as 10 or 1.5GB, or with a date.',
    ],
    [
      'name:a ota.version@"newest"',
      'The filter has a mistake at character 20: "newest" is no version requirement, such as ^1.4, >=2026.08, ~1.2 || 2.* or * for any version.',
    ],
    ['name@"^2"', 'The filter has a mistake at character 1: "name" can be compared by :, = and != only.'],
    ['a or', 'The filter has a mistake at character 5: a condition is missing here.'],
  ];
  test.each(mistakes)('%s', async (filter, message) => {
    const input = { projectId: scene.project.projectId, filter };
    expect(await scene.hub.refusal(scene.project.owner, 'projects_QueryProjectDevices', input)).toEqual({
      kind: 'Invalid',
      message,
    });
  });
});

test('a version requirement is compared with at most 1,000 different values', async () => {
  const { projectId, owner } = scene.project;
  const deviceId = [...scene.letters.keys()][0] as Id<'device'>;
  const versions = Array.from({ length: 1001 }, (_, index) => `1.${index}`);
  const set = (value: string[]) =>
    scene.hub.as(owner, 'devices_SetDeviceProperty', { deviceId, name: 'firmware', value });
  await set(versions.slice(1));
  expect(await scene.found('firmware@"<1.3"')).toHaveLength(1);
  await set(versions);
  const input = { projectId, filter: 'firmware@"<1.3"' };
  expect(await scene.hub.refusal(owner, 'projects_QueryProjectDevices', input)).toMatchObject({
    message: expect.stringContaining('more than 1,000 different values') as string,
  });
});

test('values that mean something in SQL or in paths are only values', async () => {
  for (const text of [
    "'; drop table devices; --",
    '$',
    '@',
    '"',
    '\\',
    '%',
    '{"a":1}',
    '\u{1f600}',
    '\u0001',
  ]) {
    const quoted = `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
    for (const filter of [
      quoted,
      `name:${quoted}`,
      `label.ring:${quoted}`,
      `ota.version!=${quoted} has:name`,
    ])
      expect(await scene.found(filter)).toBe(filter.startsWith('ota') ? 'ba' : '');
  }
});
