import type { Socket } from 'node:net';
import type { ClientConfig } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
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
