import { ActionError, type ActionName, type Actor } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../test/fresh-executor.ts';
import { ownDatabase } from '../../test/fresh-database.ts';
import { sampleInput } from '../../test/sample-inputs.ts';
import { seedStranger, seedWorld, thingsOf, type World } from '../../test/two-projects.ts';
import { connectDatabase } from '../platform/db/connect.ts';
import { handlers } from './handlers.ts';

let hub: FreshExecutor;
beforeEach(async () => {
  const own = await ownDatabase();
  // Few connections, so that each of them has prepared what it is asked again.
  const db = connectDatabase(own.address, { maxConnections: 2, onIdleError() {} });
  const dispose = async () => {
    await db.destroy();
    await own[Symbol.asyncDispose]();
  };
  hub = await freshExecutor({ database: { ...own, db, [Symbol.asyncDispose]: dispose } });
});
afterEach(() => hub[Symbol.asyncDispose]());

/** Calls all actions as several callers, and returns the errors that are bugs. */
async function bugsOfAll(world: World, administrator: Actor): Promise<string[]> {
  const bugs: string[] = [];
  using logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const things = thingsOf(world, world.owner);
  for (const action of Object.keys(handlers).sort() as ActionName[])
    for (const actor of [world.owner.actor, world.device.actor, administrator, system]) {
      const input = sampleInput(action, things, hub.now());
      const error = await hub.executor
        .execute({ actor, origin: { ip: '127.0.0.1' } }, action, input)
        .catch((cause: unknown) => cause);
      if (error instanceof ActionError && error.kind === 'Internal')
        bugs.push(`${action} by ${actor.actor}: ${JSON.stringify(logged.mock.lastCall, messagesOf)}`);
    }
  return bugs;
}

const messagesOf = (_key: string, value: unknown): unknown =>
  value instanceof Error ? value.message : value;

test('prepared statements go on when a newer release adds a column to every table', async () => {
  const { actor: administrator } = await seedStranger(hub, true);
  const [before, after] = [await seedWorld(hub), await seedWorld(hub)];
  expect(await bugsOfAll(before, administrator)).toEqual([]);
  const { db } = hub.database;
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(db);
  for (const { name } of tables)
    await sql`alter table ${sql.id(name)} add column of_the_next_release text`.execute(db);
  expect(await bugsOfAll(after, administrator)).toEqual([]);
}, 120_000);
