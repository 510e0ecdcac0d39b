import { ActionError, actions, parseInput, type ActionName, type Actor } from '@corral/contract';
import fc from 'fast-check';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { anonymous, freshExecutor, system, type FreshExecutor } from '../../test/fresh-executor.ts';
import { allowedBy, anyJson, inputSchemaOf } from '../../test/schema-arbitrary.ts';
import { byToken } from '../../test/seed.ts';
import { changeDetector } from '../../test/table-changes.ts';
import { seedStranger, seedWorld, thingsOf } from '../../test/two-projects.ts';
import { inRolledBackTransaction } from '../../test/in-rolled-back-transaction.ts';
import type { Tables } from '../platform/db/tables.ts';
import { createExecutor } from '../calls/executor.ts';
import { handlers } from './handlers.ts';
import { testStorages } from '../../test/test-storages.ts';
import { testVault } from '../../test/test-vault.ts';

const numRuns = inject('figures').generatedInputs;
const served = Object.keys(handlers).sort() as ActionName[];

let hub: FreshExecutor;
let names: string[];
let callers: Actor[];
let hasChangedIn: (db: Kysely<Tables>) => Promise<boolean>;

beforeAll(async () => {
  hub = await freshExecutor();
  const world = await seedWorld(hub);
  const admin = await seedStranger(hub, true);
  const { shown } = world.device;
  const secrets = [world.owner.session.secret, world.owner.token.secret, shown.token, shown.fingerprint];
  names = [
    ...Object.values(thingsOf(world, world.member)),
    admin.actor.userId,
    ...secrets,
    shown.certificate,
  ];
  const node: Actor = { actor: 'ClusterNode', kind: 'ClusterNode', nodeId: world.things.clusterNode };
  callers = [
    system,
    node,
    admin.actor,
    world.owner.actor,
    await byToken(hub, world.member.actor),
    world.device.actor,
    anonymous,
  ];
  // Records of calls are changes, too.
  hasChangedIn = await changeDetector(hub.database.db, []);
});
afterAll(() => hub[Symbol.asyncDispose]());

const anyCaller = fc.nat({ max: 6 }).map((index) => callers[index] ?? system);

function allowed(action: ActionName): fc.Arbitrary<unknown> {
  const inputs = allowedBy(inputSchemaOf(action), (pattern) =>
    names.filter((name) => new RegExp(pattern).test(name)),
  );
  return fc
    .tuple(inputs, fc.nat({ max: 9 }))
    .map(([input, chance]) => (chance === 0 ? input : withoutCursor(input)));
}

/** A random cursor is always refused, so most inputs have none. */
function withoutCursor(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(Object.entries(input).filter(([field]) => field !== 'after'));
}

/** Inputs that the action's schema does not allow: no object at all, or a valid one with a missing or invalid field. */
function disallowed(action: ActionName): fc.Arbitrary<unknown> {
  const { properties = {} } = inputSchemaOf(action);
  const fields = Object.keys(properties);
  const noObject = fc.oneof(fc.constantFrom(null, undefined, true, 7, '{}'), fc.array(anyJson), fc.string());
  if (fields.length === 0) return noObject;
  const invalid = fc
    .tuple(allowed(action), fc.constantFrom(...fields), fc.option(anyJson, { nil: undefined }))
    .map(([input, field, value]) => ({ ...(input as object), [field]: value }));
  return fc
    .oneof({ weight: 1, arbitrary: noObject }, { weight: 4, arbitrary: invalid })
    .filter((input) => !isAllowed(action, input));
}

function isAllowed(action: ActionName, input: unknown): boolean {
  try {
    parseInput(actions[action].input, input);
    return true;
  } catch {
    return false;
  }
}

function outcomeOf(db: Kysely<Tables>, actor: Actor, action: ActionName, input: unknown): Promise<unknown> {
  const executor = createExecutor({
    handlers,
    db,
    openingDb: db,
    now: hub.now,
    vault: testVault,
    storages: testStorages,
    nodeId: () => undefined,
    afterCommit() {},
    log: { error: (fields, message) => console.error(message, fields) },
  });
  const origin = { ip: '192.0.2.1' };
  return executor.execute({ actor, origin }, action, input).catch((error: unknown) => error);
}

function mustBeMessage(outcome: unknown): asserts outcome is ActionError {
  expect(outcome).toBeInstanceOf(ActionError);
  const { kind, message } = outcome as ActionError;
  expect(kind).not.toBe('Internal');
  expect(message).toMatch(/^[A-Z][^\n]*[.?]$/);
  expect(message).not.toMatch(/\bat \S+:\d+|undefined|\[object/);
}

/** The actions that succeeded at least once; random inputs may never succeed for the others. */
const answered = new Set<ActionName>();

describe.each(served)('%s', (action) => {
  test('answers allowed input with an output that matches its schema', async () => {
    const property = fc.asyncProperty(anyCaller, allowed(action), async (actor, input) => {
      const outcome = await inRolledBackTransaction(hub.database.db, (db) =>
        outcomeOf(db, actor, action, input),
      );
      if (!(outcome instanceof Error)) {
        answered.add(action);
        return void actions[action].output.parse(outcome);
      }
      mustBeMessage(outcome);
      expect(outcome.message).not.toMatch(/^The (field|input)\S* .*(is wrong|is missing)/);
    });
    await fc.assert(property, { numRuns });
  });

  test('refuses input that its schema does not allow, stores nothing and records nothing', async () => {
    await inRolledBackTransaction(hub.database.db, async (db) => {
      const property = fc.asyncProperty(anyCaller, disallowed(action), async (actor, input) => {
        const outcome = await outcomeOf(db, actor, action, input);
        mustBeMessage(outcome);
        expect(outcome.kind).toBe('Invalid');
      });
      await fc.assert(property, { numRuns });
      expect(await hasChangedIn(db)).toBe(false);
    });
  });
});

test('generated inputs are accepted by most actions', () => {
  expect(answered.size).toBeGreaterThan(served.length * 0.7);
});
