import type { Socket } from 'node:net';
import { sql } from 'kysely';
import type { ClientConfig } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { connectDatabase } from './connect.ts';
import { thenCommit } from './PipelinedConnection.ts';
import { WatchedClient } from './WatchedClient.ts';

let database: FreshDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database[Symbol.asyncDispose]());

test('a connection that was idle until a statement was asked is not taken for one whose server is silent', async () => {
  const client = new WatchedClient(database.address as ClientConfig);
  await client.connect();
  client.watch(60_000);
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const ask = () => client.query('select 1 as one') as unknown as Promise<{ rows: unknown[] }>;
  const answer = ask();
  // The timer of the idle time ends in the same moment.
  stream.emit('timeout');
  expect((await answer).rows).toEqual([{ one: 1 }]);
  await client.end();
});

test('what is asked in one turn of the event loop is sent at once: BEGIN with the first statement, COMMIT with the last', async () => {
  const db = connectDatabase(database.address, { maxConnections: 1, onIdleError() {} });
  using asked = vi.spyOn(WatchedClient.prototype, 'query');
  const change = (n: number) =>
    db.transaction().execute((tx) => sql`select ${n}::int ${sql.raw(thenCommit)}`.execute(tx));
  await change(1);
  const [client] = asked.mock.contexts as unknown as { connection: { stream: Socket } }[];
  const stream = client?.connection.stream as Socket & Record<'_write' | '_writev', () => void>;
  using single = vi.spyOn(stream, '_write');
  using several = vi.spyOn(stream, '_writev');
  await change(2);
  expect([single.mock.calls.length, several.mock.calls.length]).toEqual([0, 1]);
  await db.destroy();
});
