import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { httpHub, system, type HttpHub } from '../../test/http-hub.ts';

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
  const long = 'é'.repeat(1_900);
  const register = { displayName: long, email: `${long}@example.org`, password: 'x', consentedToTerms: true };
  for (const [name, input] of [
    ['users_RegisterUser', register],
    ['users_ResendRegistrationEmail', { email: '\u0001'.repeat(1_900) }],
    ['users_CreateUser', { email: long, displayName: '"'.repeat(1_900) }],
  ] as const)
    expect((await hub.invoke(name, input)).status).toBeGreaterThanOrEqual(400);
  expect(await largestRowBytes('audit_actions')).toBeGreaterThan(500);
  expect(await largestRowBytes('audit_actions')).toBeLessThanOrEqual(4_096);
});

test('a flood of refused anonymous calls records one row for its address and minute, and then how many there were', async () => {
  hub.advance(120);
  const refusalRows = async () => {
    const { actions } = await hub.executor.invoke(system, 'audit_QueryAuditLogActions', { limit: 200 });
    return actions.filter(
      ({ actor, action }) => actor.actor === 'Anonymous' || action.startsWith('cluster_Report'),
    );
  };
  const before = (await refusalRows()).length;
  const name = 'x'.repeat(2_000);
  for (let sent = 0; sent < 300; sent += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => hub.invoke('projects_CreateProject', { name })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
  }
  expect((await refusalRows()).length - before).toBeLessThanOrEqual(2);
  hub.advance(60);
  expect((await hub.invoke('projects_CreateProject', { name })).status).toBe(401);
  await vi.waitFor(async () =>
    expect(await refusalRows()).toContainEqual(
      expect.objectContaining({
        action: 'cluster_ReportAnonymousRefusals',
        status: 'Succeeded',
        data: { remoteAddress: '127.0.0.1', attempts: 299 },
      }),
    ),
  );
});

test('refused anonymous calls that are only counted are recorded when the hub stops', async () => {
  hub.advance(120);
  for (let sent = 0; sent < 3; sent += 1)
    expect((await hub.invoke('projects_CreateProject', { name: 'x' })).status).toBe(401);
  await hub.executor.stop();
  const { actions } = await hub.executor.invoke(system, 'audit_QueryAuditLogActions', { limit: 200 });
  expect(actions).toContainEqual(
    expect.objectContaining({
      action: 'cluster_ReportAnonymousRefusals',
      status: 'Succeeded',
      data: { remoteAddress: '127.0.0.1', attempts: 2 },
    }),
  );
});

test('an anonymous call that succeeds is recorded with its outcome', async () => {
  const form = {
    displayName: 'Ann',
    email: 'ann@example.org',
    password: 'quiet harbour 8',
    consentedToTerms: true,
  };
  expect((await hub.invoke('users_RegisterUser', form)).status).toBe(200);
  const { actions } = await hub.executor.invoke(system, 'audit_QueryAuditLogActions', { limit: 5 });
  expect(actions).toContainEqual(
    expect.objectContaining({
      action: 'users_RegisterUser',
      status: 'Succeeded',
      actor: { actor: 'Anonymous', kind: 'Anonymous' },
    }),
  );
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
