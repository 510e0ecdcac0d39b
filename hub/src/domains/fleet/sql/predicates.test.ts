import { ids, type Id, type Json } from '@corral/contract';
import { evaluatePredicate, type Expr } from '@corral/expressions';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fleetScene, type FleetScene } from '../../../../test/fleet-scene.ts';
import { countMatches, selectByPredicates } from './predicates.ts';

let scene: FleetScene;
beforeEach(async () => void (scene = await fleetScene()));
afterEach(() => scene[Symbol.asyncDispose]());

const ota = { kind: 'NamedValue', name: 'ota' } as const;
const get = (...path: (string | number)[]): Expr => ({ kind: 'Get', expr: ota, path });
const has = (...path: (string | number)[]): Expr => ({ kind: 'Exists', expr: ota, path });
const is = (left: Expr, value: Json): Expr => ({
  kind: 'Equals',
  left,
  right: { kind: 'Literal', value: value as never },
});
const long = (JSON as unknown as { rawJSON: (text: string) => Json }).rawJSON('12345678901234567890');

const values: readonly (Json | undefined)[] = [
  undefined,
  null,
  'text',
  { slots: ['a', 'b'], version: '1.2.3', '0': 'key' },
  { slots: { '0': 'a' }, version: null },
  { slots: [[1], { 'a "quoted" \\ key': long }], version: 7 },
  ['first', { version: '2.0.0' }],
];
const predicates: readonly Expr[] = [
  has(),
  has('slots', 0),
  has('slots', '0'),
  has(0),
  has('0'),
  has('version'),
  is(get('version'), null),
  is(get('slots'), ['a', 'b']),
  is(get('slots', 1, 'a "quoted" \\ key'), long),
  is(ota, 'text'),
  { kind: 'VersionRequirement', expr: { kind: 'Get', expr: get('version'), path: [] }, requirement: '^1.2' },
  { kind: 'Or', exprs: [is(get(1, 'version'), '2.0.0'), { kind: 'Not', expr: has('slots', 5) }] },
  is({ kind: 'Get', expr: { ...ota, default: { kind: 'NamedValue', name: 'other' } }, path: ['slots'] }, 1),
  // More parts than are read by themselves.
  { kind: 'Or', exprs: Array.from({ length: 20 }, (_, index) => has('slots', index)) },
];

test('conditions hold of the same devices, with the same errors, as over whole properties', async () => {
  const devices: { readonly id: Id<'device'>; readonly properties: Map<string, Json> }[] = [];
  for (const value of values) {
    const properties: Record<string, Json> = value === undefined ? {} : { ota: value };
    devices.push({
      id: await scene.addDevice({ properties }),
      properties: new Map(Object.entries(properties)),
    });
  }
  const { db } = scene.hub.database;
  for (const predicate of predicates) {
    const found = await db
      .transaction()
      .execute((tx) => selectByPredicates(tx, sql<boolean>`true`, [predicate]));
    const outcomes = devices.map(({ id, properties }) => ({
      id: ids.device.raw(id),
      ...evaluatePredicate(predicate, properties as never),
    }));
    const holding = outcomes.filter(({ value }) => value === true).map(({ id }) => id);
    const wrong = outcomes.flatMap(({ id, error }) => (error === undefined ? [] : [[id, error.message]]));
    expect([...found.devices].toSorted(), JSON.stringify(predicate)).toEqual(holding.toSorted());
    const errors = found.errors.map(({ deviceId, error }) => [deviceId, error]);
    expect(Object.fromEntries(errors)).toEqual(Object.fromEntries(wrong));
    const counted = await db.transaction().execute((tx) => countMatches(tx, sql<boolean>`true`, predicate));
    expect(counted).toMatchObject({ count: values.length, matching: holding.length });
  }
});
