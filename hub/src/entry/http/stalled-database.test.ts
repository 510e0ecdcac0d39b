import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { ownDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { httpHub } from '../../../test/http-hub.ts';
import { waitingLocks } from '../../../test/seed.ts';
import { validPassword } from '../../../test/test-users.ts';
import { connectDatabase } from '../../platform/db/connect.ts';

/** Ends the statements that wait for a lock as their timeout would. */
async function cancelWaiting({ db }: FreshDatabase): Promise<void> {
  await vi.waitFor(async () => expect(await waitingLocks(db)).toBe(1));
  await sql`select pg_cancel_backend(pid) from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`.execute(db);
}

test.each([
  ['its timeout', '0', cancelWaiting],
  ['a lock timeout', '200ms', async () => {}],
])(
  'a command whose statement is ended by %s is answered 503 with Retry-After',
  async (_by, lockTimeout, end) => {
    await using database = await ownDatabase();
    const other = connectDatabase(database.address, { maxConnections: 1, onIdleError() {} });
    await sql`do ${sql.lit(`begin execute format('alter database %I set lock_timeout = ''${lockTimeout}''', current_database()); end`)}`.execute(
      other,
    );
    await using hub = await httpHub({ database });
    const { userId } = await hub.user('ann@example.org', { password: validPassword });
    const cookie = await hub.signIn('ann@example.org', validPassword);
    const rename = () => hub.invoke('users_SetUserDisplayName', { userId, displayName: 'Ann' }, { cookie });
    await other.transaction().execute(async (tx) => {
      await sql`select 1 from users where user_id = ${ids.user.raw(userId)} for update`.execute(tx);
      const answer = rename();
      await end(database);
      expect(await answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5' },
        json: { message: 'The database took too long. Try again in a moment.' },
      });
    });
    await other.destroy();
    expect((await rename()).status).toBe(200);
    const { rows } =
      await sql`select status from audit_actions where action = 'users_SetUserDisplayName' order by position`.execute(
        database.db,
      );
    expect(rows).toEqual([{ status: 'Rejected' }, { status: 'Succeeded' }]);
    expect(hub.logged().match(/a statement took too long/g)).toHaveLength(1);
  },
);
