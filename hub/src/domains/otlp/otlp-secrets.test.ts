import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { httpHub } from '../../../test/http-hub.ts';
import { validPassword } from '../../../test/test-users.ts';

test('the values of headers are in no answer, no error, neither log, and nowhere in the database in clear', async () => {
  await using hub = await httpHub();
  await hub.user('owner@example.org', { password: validPassword });
  const cookie = await hub.signIn('owner@example.org', validPassword);
  const secret = 'Bearer-quite-secret';
  const answers: string[] = [];
  const invoke = async (name: string, input: unknown) => {
    const answer = await hub.invoke(name, input, { cookie });
    answers.push(answer.text);
    return answer;
  };
  const { projectId } = (await invoke('projects_CreateProject', { name: 'Plant' })).json;
  const configure = async (headers: Record<string, unknown>, more = {}) => {
    const config = {
      enabled: true,
      endpoint: 'http://127.0.0.1:9/v1/logs',
      headers,
      ...more,
    };
    return (await invoke('projects_SetOtlpConfig', { projectId, config })).status;
  };
  expect(await configure({ authorization: secret })).toBe(200);
  expect(await configure({ authorization: `${secret}\r\nx: y` })).toBe(400);
  expect(await configure({ authorization: secret, Authorization: secret })).toBe(400);
  expect(await configure({ 'content-length': secret })).toBe(400);
  expect(await configure({ authorization: [secret] })).toBe(400);
  expect(await configure({ authorization: '***' }, { endpoint: 'https://127.0.0.1:9/v1/logs' })).toBe(400);
  expect(await configure({ authorization: '***' }, { filter: `(${'severity:error'}` })).toBe(400);
  expect(await configure({ authorization: '***' })).toBe(200);
  expect((await invoke('projects_GetOtlpConfig', { projectId })).json).toMatchObject({
    config: { headers: { authorization: '***' } },
  });
  expect((await invoke('projects_SendOtlpTestEvent', { projectId })).json).toMatchObject({
    isAccepted: false,
  });
  await invoke('projects_GetOtlpStatus', { projectId });
  expect(answers.join('\n')).not.toContain(secret);
  expect(hub.logged()).not.toContain(secret);
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(
    hub.database.db,
  );
  const holding: string[] = [];
  for (const { name } of tables) {
    const { rows } =
      await sql`select 1 from ${sql.table(name)} t where position(${secret} in t::text) > 0 limit 1`.execute(
        hub.database.db,
      );
    if (rows.length > 0) holding.push(name);
  }
  expect(holding).toEqual([]);
});
