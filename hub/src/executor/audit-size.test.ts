import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpHub, type HttpHub } from '../../test/http-hub.ts';

let hub: HttpHub;
let cookie: string;
beforeAll(async () => {
  hub = await httpHub();
  await hub.user('root@example.org', { isAdmin: true, password: 'quiet harbour lantern 7' });
  cookie = await hub.signIn('root@example.org', 'quiet harbour lantern 7');
});
afterAll(() => hub[Symbol.asyncDispose]());

const largestRowBytes = async (table: string): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`
    select max(octet_length(t::text))::int as bytes from ${sql.table(table)} t`.execute(hub.database.db);
  return rows[0]?.bytes ?? 0;
};

test('a refused anonymous call records a row of at most 4 KiB, for any input', async () => {
  const long = 'é'.repeat(15_000);
  const register = { displayName: long, email: `${long}@example.org`, password: 'x', consentedToTerms: true };
  for (const [name, input] of [
    ['users_RegisterUser', register],
    ['users_ResendRegistrationEmail', { email: '\u0001'.repeat(9_000) }],
    ['users_CreateUser', { email: long, displayName: '"'.repeat(10_000) }],
  ] as const)
    expect((await hub.invoke(name, input)).status).toBeGreaterThanOrEqual(400);
  expect(await largestRowBytes('audit_actions')).toBeLessThanOrEqual(4_096);
});

test('an event records a row of at most 4 KiB', async () => {
  await hub.invoke('projects_CreateProject', { name: '😀'.repeat(100) }, { cookie });
  expect(await largestRowBytes('audit_events')).toBeLessThanOrEqual(4_096);
});

test('the log is readable with large rows of an older hub', async () => {
  await sql`
    insert into audit_actions (action_id, actor, action, data, status, created_at)
      select 'old' || n, '{"actor":"System","kind":"System"}', 'projects_SetName',
        jsonb_build_object('name', repeat('x', 8000000)), 'Failed', now() from generate_series(1, 70) n`.execute(
    hub.database.db,
  );
  const answer = await hub.invoke('audit_QueryAuditLogActions', {}, { cookie });
  expect(answer.status).toBe(200);
  expect(answer.text.length).toBeLessThan(200_000);
  expect(answer.text).toContain('too large to be shown');
});
