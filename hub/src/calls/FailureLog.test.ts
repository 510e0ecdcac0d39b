import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { freshDatabase } from '../../test/fresh-database.ts';
import { FailureLog, failureOf } from './failures.ts';

test('a full disk and statements that take too long are logged, each once a minute, and refusals are not', async () => {
  await using database = await freshDatabase();
  const logged: [fields: object, message: string][] = [];
  const clock = { nowMs: 0 };
  const log = new FailureLog({ error: (...entry) => void logged.push(entry) }, () => clock.nowMs);
  const raise = (code: string) =>
    sql`do ${sql.lit(`begin raise exception 'no' using errcode = '${code}'; end`)}`.execute(database.db);
  const failure = async (code: string) =>
    failureOf(await raise(code).catch((error: unknown) => error), 'request');
  const write = async (code: string) => log.write('devices_PublishDeviceEvents', await failure(code));
  for (const code of ['53100', '53100', '23503']) await write(code);
  const entry = [
    { action: 'devices_PublishDeviceEvents', err: { code: '53100' } },
    'the disk has no room left',
  ];
  expect(logged).toMatchObject([entry]);
  for (const code of ['57014', '57014', '55P03']) await write(code);
  const stalled = { err: { code: '57014' } };
  expect(logged.splice(1)).toMatchObject([[stalled, 'a statement took too long and was ended']]);
  clock.nowMs = 59_999;
  await write('53100');
  expect(logged).toHaveLength(1);
  clock.nowMs = 60_000;
  await write('53100');
  expect(logged).toMatchObject([entry, entry]);
  await write('22012');
  expect(logged.at(-1)).toMatchObject([{ requestId: 'request' }, 'an action failed']);
});
