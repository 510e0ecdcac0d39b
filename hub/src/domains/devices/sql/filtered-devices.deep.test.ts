import { ids, type CallInput, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { mostRowsOf, tableRowsOf } from '../../../../test/plan-rows.ts';
import { recordStatements } from '../../../../test/recorded-statements.ts';
import { insertInBulk } from '../../../../test/seed-large-catalogue.ts';
import { seedProject, type SeededProject } from '../../../../test/seed.ts';

/** More than are ever read as one set while another way is left. */
const count = 22_000;
const numbers = Array.from({ length: count }, (_, index) => index + 1);

/** What the devices have at a place, and the SQL of it; `n` is the number of the device, the newest is the first. */
const places = {
  number: sql`null, n, null`,
  half: sql`case when n % 2 = 0 then 'yes' else 'no' end, null, null`,
  last: sql`case when n > 21000 then 'yes' else 'no' end, null, null`,
  flag: sql`null, null, n % 3 = 0`,
  some: sql`'here', null, null`,
};

let hub: FreshExecutor;
let project: SeededProject;

beforeAll(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
  const { db } = hub.database;
  const projectId = ids.project.raw(project.projectId);
  const rows = sql`generate_series(1, ${sql.lit(count)}) n`;
  const id = sql`rpad('n' || n || 'x', 22, 'y')`;
  await insertInBulk(db, {
    async counted(tx) {
      await sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, created_at)
        select ${id}, ${projectId}, ${id}, '', (array['b', 'a', null])[1 + n % 3], ${hub.now()}::timestamptz - n * interval '1 s'
        from ${rows}`.execute(tx);
      await sql`insert into project_property_names (project_id, name) values (${projectId}, 'ota')`.execute(
        tx,
      );
    },
    async referring(tx) {
      for (const [name, value] of Object.entries(places)) {
        const { rows: keys } = await sql<{ id: number }>`
          insert into fact_keys (project_id, property, path, used_at, state)
            values (${projectId}, 'ota', ${`lax $."${name}"`}, ${hub.now()}, 'Ready') returning key_id as id`.execute(
          tx,
        );
        const fewer = name === 'some' ? sql`where n % 10 = 0` : sql``;
        await sql`insert into device_facts (key_id, device_id, value_text, value_num, value_flag)
          select ${keys[0]?.id}, ${id}, ${value} from ${rows} ${fewer}`.execute(tx);
      }
    },
  });
  await sql`analyze`.execute(db);
  // Only then is an index enough to read it.
  await sql`vacuum all_devices`.execute(db);
}, 120_000);
afterAll(() => hub[Symbol.asyncDispose]());

type Query = Partial<CallInput<'projects_QueryProjectDevices'>>;

async function pages(input: Query): Promise<number[]> {
  const found: number[] = [];
  let after: string | undefined;
  do {
    const { projectId, owner } = project;
    const page = await hub.as(owner, 'projects_QueryProjectDevices', {
      projectId,
      ...input,
      ...(after === undefined ? {} : { after }),
    });
    found.push(...page.devices.map(({ deviceId }) => numberOf(deviceId)));
    after = page.next;
  } while (after !== undefined);
  return found;
}

const limit = 300;

async function firstPage(input: Query): Promise<number[]> {
  const { projectId, owner } = project;
  const { devices } = await hub.as(owner, 'projects_QueryProjectDevices', { projectId, limit, ...input });
  return devices.map(({ deviceId }) => numberOf(deviceId));
}

const numberOf = (deviceId: Id<'device'>): number => Number(/^n(\d+)x/.exec(ids.device.raw(deviceId))?.[1]);

const isYes = {
  half: (n: number) => n % 2 === 0,
  last: (n: number) => n > 21_000,
  flag: (n: number) => n % 3 === 0,
};

const selections: [filter: string, passes: (n: number) => boolean][] = [
  ['ota.number<=5', (n) => n <= 5],
  ['ota.number>21990', (n) => n > 21_990],
  ['ota.number>15', (n) => n > 15],
  ['ota.last:yes', isYes.last],
  ['ota.last:yes ota.half:yes', (n) => isYes.last(n) && isYes.half(n)],
  ['ota.last:yes or ota.number:7', (n) => isYes.last(n) || n === 7],
  ['ota.half:yes not ota.flag:true', (n) => isYes.half(n) && !isYes.flag(n)],
  ['has:ota.number -ota.last:no', isYes.last],
  ['not has:ota.number', () => false],
  ['N2199', (n) => n === 2_199 || Math.trunc(n / 10) === 2_199],
  ['d_n2199*', (n) => n === 2_199 || Math.trunc(n / 10) === 2_199],
  ['n2199*', () => false],
  ['ota.half:yes n219', (n) => isYes.half(n) && `n${n}`.startsWith('n219')],
  ['n9', (n) => `${n}`.startsWith('9')],
  ['n%', () => false],
  ['-d_n', () => false],
  ['-d_n ota.half:yes', () => false],
  ['(not n1) ota.half:yes', (n) => isYes.half(n) && !`${n}`.startsWith('1')],
  ['-d_n1', (n) => !`n${n}`.startsWith('n1')],
  ['has:ota.some (ota.half:no or ota.flag:true)', (n) => n % 10 === 0 && isYes.flag(n)],
  [
    '(ota.number<9 ota.half:yes) or (ota.number>21995 ota.flag:false)',
    (n) => (n < 9 && isYes.half(n)) || (n > 21_995 && !isYes.flag(n)),
  ],
];

describe('filters select the same however many devices fit their tests', () => {
  test.each(selections)('%s', async (filter, passes) => {
    const expected = numbers.filter(passes);
    expect(await firstPage({ filter })).toEqual(expected.slice(0, limit));
    expect(await firstPage({ filter, order: 'firstSeen' })).toEqual(expected.toReversed().slice(0, limit));
    for (const order of ['name', '-pending'] as const) {
      const found = new Set(await firstPage({ filter, order }));
      expect([found.size, [...found].every(passes)]).toEqual([Math.min(limit, expected.length), true]);
    }
  });

  test('and pages follow each other without a gap', async () => {
    for (const [filter, pageLimit, passes] of [
      ['ota.number<=5', 2, (n: number) => n <= 5],
      ['has:ota.number -ota.number<21996', 2, (n: number) => n >= 21_996],
      ['ota.half:yes ota.last:yes', 200, (n: number) => isYes.last(n) && isYes.half(n)],
    ] as const)
      expect(await pages({ filter, limit: pageLimit })).toEqual(numbers.filter(passes));
  });
});

test('a page in an order with an index reads no other devices', async () => {
  for (const order of [
    'name',
    '-name',
    'firstSeen',
    '-firstSeen',
    'pending',
    '-pending',
    'status',
  ] as const) {
    using statements = recordStatements();
    const { projectId, owner } = project;
    await hub.as(owner, 'projects_QueryProjectDevices', { projectId, order, limit: 100 });
    const read = statements.containing('from devices d where d.project_id');
    expect(read).toHaveLength(1);
    for (const statement of read)
      expect(await mostRowsOf(hub.database.db, statement), order).toBeLessThanOrEqual(101);
  }
});

describe('a page of 100 devices reads a small part of the list', () => {
  const bounded: [filter: string, rows: number][] = [
    ['ota.number<=500', 501],
    ['ota.number>21990', 20],
    ['ota.last:yes', 1_000],
    ['ota.last:yes or ota.number:7', 2_002],
    ['ota.flag:true ota.last:yes', 2_000],
    ['has:ota.number', 1_011],
    ['-ota.last:yes', 1_011],
    ['ota.number>15', 1_011],
    ['has:ota.number -ota.half:yes', 1_011],
    ['N2199', 30],
    ['d_n2199* ota.number>15', 30],
    ['nobody_has_this', 0],
    ['-n20', 1_011],
    ['-a -b -c -e N2199', 30],
    ['(-a N2199) or ota.number:7', 30],
  ];
  test.each(bounded)('%s', async (filter, rows) => {
    using statements = recordStatements();
    const { projectId, owner } = project;
    await hub.as(owner, 'projects_QueryProjectDevices', { projectId, filter, limit: 100 });
    for (const statement of statements.containing('from devices d where d.project_id'))
      expect(await mostRowsOf(hub.database.db, statement), statement.text).toBeLessThanOrEqual(rows);
  });
});

test.each(['-has:ota.number', '-ota.number>3 ota.half:yes'])(
  'where few of the list pass, a sample is looked up, and indexes find the rest: %s',
  async (filter) => {
    const { db } = hub.database;
    using statements = recordStatements();
    await firstPage({ filter, limit: 100 });
    const read: number[] = [];
    for (const statement of statements.containing('from devices d where d.project_id')) {
      expect(await tableRowsOf(db, statement, 'all_devices')).toBeLessThanOrEqual(101);
      read.push(await mostRowsOf(db, statement));
    }
    expect(Math.max(...read)).toBe(count);
  },
);
