import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hostileProvider } from '../../../test/hostile-provider.ts';
import { httpHub } from '../../../test/http-hub.ts';
import { actorOf, linked, password, returning, sessionOf, signInAt } from '../../../test/provider-scene.ts';

/** More than the hub of the tests has connections to its database. */
const tabs = 12;

test.each(['/token', '/userinfo'])(
  'while the provider does not answer at %s, waiting sign-ins hold no connection to the database and keep nobody else waiting',
  async (path) => {
    const hostile = await hostileProvider();
    const { providerSignIn, close } = signInAt(hostile, 600_000);
    const hub = await httpHub({ providerSignIn });
    onTestFinished(async () => {
      await hub[Symbol.asyncDispose]();
      await close();
    });
    const parts = { hub, hostile };
    const { userId } = await linked(parts);
    const begun = [];
    for (let tab = 0; tab < tabs; tab += 1) begun.push(await returning(parts));
    const before = hostile.requests.get(path) ?? 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    hostile.lies = { held: { path, until: released } };
    const coming = begun.map(({ come }) => come());
    const asked = () => (hostile.requests.get(path) ?? 0) - before;
    await vi.waitFor(() => expect(asked()).toBeGreaterThan(0));
    // Some of the requests may wait for their turn at the provider; none of them holds anything.
    await expect.poll(busyConnections).toBe(0);
    await hub.user('bea@example.com', { password });
    const others = Array.from({ length: tabs }, () => hub.signIn('bea@example.com', password));
    expect(new Set(await Promise.all(others)).size).toBe(tabs);
    expect(await busyConnections()).toBe(0);
    release();
    for (const { headers } of await Promise.all(coming))
      expect(await actorOf(hub, sessionOf(headers))).toMatchObject({ userId });

    /** How many connections of the hub do anything, beside the one that asks. */
    async function busyConnections(): Promise<number> {
      const { rows } = await sql<{ busy: number }>`
        select count(*)::integer as busy from pg_stat_activity
        where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`.execute(
        hub.database.db,
      );
      return rows[0]?.busy ?? Infinity;
    }
  },
);
