import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ids, type Id, type Json } from '@corral/contract';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../test/fresh-executor.ts';
import { seedMember, seedProject, type SeededProject } from '../../../test/seed.ts';
import { outgoingRule } from '../../config/outgoing-addresses.ts';
import { openOutgoing } from '../../platform/outgoing/open-outgoing.ts';
import { TakeDueMessages } from './internal/TakeDueMessages.ts';
import { PruneMessages } from './internal/PruneMessages.ts';
import { startWebhooks } from './jobs/send-messages.ts';
import { addMessage } from './sql/webhooks.ts';

let hub: FreshExecutor;
let project: SeededProject;
beforeEach(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
});
/** What ends before the database does. */
const sendersOfTest: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of sendersOfTest.splice(0)) await stop();
  await hub[Symbol.asyncDispose]();
});

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on a socket; `answer` says the status, and headers, of each answer. */
async function receiver(
  answer: () => { status: number; headers?: Record<string, string> } = () => ({ status: 204 }),
) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    received.push({ headers: request.headers, body });
    const { status, headers } = answer();
    response.writeHead(status, headers).end('words of an internal service');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

/** Sends what is due, as a node does. */
function sending(rule = outgoingRule([{ place: '127.0.0.1', port: undefined }])) {
  const outgoing = openOutgoing({ rule });
  const sender = startWebhooks({
    executor: hub.executor,
    outgoing,
    log: { warn: (fields) => console.error(fields) },
  });
  sendersOfTest.push(() => sender.stop());
  return sender;
}

const create = (url: string, events: string[] = ['projects_NameChanged'], name = 'Builds') =>
  hub.as(project.owner, 'projects_CreateWebhook', { projectId: project.projectId, name, url, types: events });
const rename = (name: string) =>
  hub.as(project.owner, 'projects_SetName', { projectId: project.projectId, name });
const deliveries = async (webhookId: Id<'webhook'>) =>
  (await hub.as(project.owner, 'projects_QueryWebhookDeliveries', { webhookId })).deliveries;
const webhooks = async () =>
  (await hub.as(project.owner, 'projects_QueryWebhooks', { projectId: project.projectId })).webhooks;

/** What an independent receiver makes of a message, by the clock of the hub. */
function verified({ headers, body }: Received, secret = ''): Json {
  vi.useFakeTimers({ toFake: ['Date'], now: hub.now() });
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>) as Json;
  } finally {
    vi.useRealTimers();
  }
}

test('an event of the project arrives signed, with its id, and is listed; events of others and of other names do not', async () => {
  const { received, url } = await receiver();
  const { webhookId, secret } = await create(url, ['projects_NameChanged']);
  const other = await seedProject(hub);
  await hub.as(other.owner, 'projects_SetName', { projectId: other.projectId, name: 'Other' });
  await rename('Barns');
  await hub.as(project.owner, 'projects_CreateDeploymentToken', { projectId: project.projectId, name: 'x' });
  sending();
  await expect
    .poll(() => deliveries(webhookId))
    .toMatchObject([{ status: 'Accepted', httpStatus: 204, attempts: 1 }]);
  expect(received).toHaveLength(1);
  const [delivery] = await deliveries(webhookId);
  expect(received[0]?.headers['webhook-id']).toBe(delivery?.messageId);
  expect(verified(received[0]!, secret)).toMatchObject({
    type: 'projects_NameChanged',
    data: {
      projectId: project.projectId,
      name: 'Barns',
      actor: { userId: (project.owner as { userId: string }).userId },
    },
  });
  const { rows } = await sql<{ id: string }>`
    select event_id as id from audit_events where event = 'projects_NameChanged' and data ->> 'name' = 'Barns'`.execute(
    hub.database.db,
  );
  expect(delivery?.messageId).toBe(ids.webhookMessage.of(rows[0]?.id ?? ''));
  expect((await webhooks())[0]).toMatchObject({ waiting: 0, lastAcceptedAt: expect.any(String) });
  // Pages that show it are told.
  const told = hub.emittedEvents.filter(({ name }) => name === 'projects_WebhookDelivered');
  expect(told).toMatchObject([{ data: { projectId: project.projectId, webhookId } }]);
});

test('a receiver that fails gets the same message again, later each time, and says when; 75 hours later it has failed', async () => {
  let status = 503;
  const { received, url } = await receiver(() => ({ status, headers: { 'retry-after': '120' } }));
  const { webhookId } = await create(url);
  await rename('Barns');
  const sender = sending();
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await sender.sendDue();
    const [delivery] = await deliveries(webhookId);
    expect(delivery).toMatchObject({ attempts: attempt, httpStatus: 503, status: 'Waiting' });
    const waitSecs = (Date.parse(delivery?.nextAttemptAt ?? '') - hub.now().getTime()) / 1000;
    waits.push(waitSecs);
    hub.advance(waitSecs);
  }
  expect(waits[0]).toBeCloseTo(120, 0);
  expect(waits.toSorted((one, other) => one - other)).toEqual(waits);
  await sender.sendDue();
  expect((await deliveries(webhookId))[0]).toMatchObject({ attempts: 11, status: 'Failed' });
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(75 * 3_600);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect((await deliveries(webhookId))[0]?.lastError).toMatch(
    /^127\.0\.0\.1:\d+ answered with the status 503\.$/,
  );
  status = 200;
  const [{ messageId } = {}] = await deliveries(webhookId);
  await hub.as(project.owner, 'projects_ReplayWebhookDelivery', { webhookId, messageId: messageId! });
  await expect
    .poll(async () => (await deliveries(webhookId))[0])
    .toMatchObject({ status: 'Accepted', attempts: 1 });
  expect(received.at(-1)?.headers['webhook-id']).toBe(messageId);
});

test('while secrets change messages have two signatures, and a day later one', async () => {
  const { received, url } = await receiver();
  const { webhookId, secret } = await create(url);
  const { secret: next } = await hub.as(project.owner, 'projects_RotateWebhookSecret', { webhookId });
  sending();
  await rename('Barns');
  await expect.poll(() => received.length).toBe(1);
  expect(verified(received[0]!, secret)).toEqual(verified(received[0]!, next));
  hub.advance(86_401);
  await rename('Stables');
  await expect.poll(() => received.length).toBe(2);
  expect(verified(received[1]!, next)).toMatchObject({ data: { name: 'Stables' } });
  expect(() => verified(received[1]!, secret)).toThrow();
});

test('a receiver that is gone, or that fails for five days, disables the webhook, and the owners are told; enabled, it goes on', async () => {
  let status = 410;
  const { url } = await receiver(() => ({ status }));
  const gone = await create(url, ['projects_NameChanged'], 'Gone');
  sending();
  await rename('Barns');
  await expect.poll(webhooks).toMatchObject([{ disabled: 'ByReceiver' }]);
  const mails = () =>
    sql`select kind from queued_mails where kind = 'WebhookDisabled'`.execute(hub.database.db);
  expect((await mails()).rows).toHaveLength(1);
  await rename('Stables');
  expect(await deliveries(gone.webhookId)).toHaveLength(1);
  await hub.as(project.owner, 'projects_DeleteWebhook', { webhookId: gone.webhookId });

  status = 500;
  const failing = await create(url, ['projects_NameChanged'], 'Failing');
  await rename('Mews');
  await expect.poll(webhooks).toMatchObject([{ failingSince: expect.any(String) }]);
  hub.advance(5 * 86_400);
  await expect.poll(webhooks).toMatchObject([{ disabled: 'Failing', waiting: 1 }]);
  expect((await mails()).rows).toHaveLength(2);
  const { webhookId } = failing;
  expect((await hub.refusal(project.owner, 'projects_TestWebhook', { webhookId })).message).toMatch(
    /disabled/,
  );
  status = 200;
  await hub.as(project.owner, 'projects_ChangeWebhook', { webhookId, isDisabled: false });
  await expect.poll(webhooks).toMatchObject([{ waiting: 0 }]);
  expect((await webhooks())[0]?.disabled).toBeUndefined();
});

test('a receiver inside the network is not connected to unless the operator lists it, and the list says so', async () => {
  const { received, url } = await receiver();
  const { webhookId } = await create(url);
  await hub.as(project.owner, 'projects_TestWebhook', { webhookId });
  sending(outgoingRule([]));
  await expect
    .poll(async () => (await deliveries(webhookId)).find(({ type }) => type === 'webhook.test'))
    .toMatchObject({ status: 'Waiting', lastError: expect.stringContaining('CORRAL_PRIVATE_TARGETS') });
  expect(received).toEqual([]);
});

test('a slow receiver keeps no other waiting', async () => {
  const { received, url } = await receiver();
  const silent = createServer(() => {});
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.closeAllConnections());
  onTestFinished(() => void silent.close());
  await create(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`, ['projects_*'], 'Slow');
  await create(url, ['projects_NameChanged'], 'Fast');
  const outgoing = openOutgoing({ rule: outgoingRule([{ place: '127.0.0.1', port: undefined }]) });
  const sender = startWebhooks({ executor: hub.executor, outgoing, log: { warn: () => {} } });
  await rename('Barns');
  await expect.poll(() => received.length, { timeout: 5_000 }).toBe(1);
  await outgoing.close();
  await sender.stop();
});

test('of two nodes that take at the same time each message goes to one; what a node took and did not record is due again', async () => {
  const { webhookId } = await create('https://hooks.example/x', ['projects_NameChanged']);
  for (let count = 0; count < 20; count += 1) await rename(`Barns ${count}`);
  const took: string[] = [];
  for (;;) {
    const both = await Promise.all([
      hub.run(TakeDueMessages, { busy: [] }),
      hub.run(TakeDueMessages, { busy: [] }),
    ]);
    const messages = both.flat().map(({ messageId }) => messageId);
    if (messages.length === 0) break;
    took.push(...messages);
  }
  expect(took).toHaveLength(20);
  expect(new Set(took).size).toBe(20);
  hub.advance(61);
  expect(await hub.run(TakeDueMessages, { busy: [] })).not.toEqual([]);
  expect(await hub.run(TakeDueMessages, { busy: [ids.webhook.raw(webhookId)] })).toEqual([]);
});

test('only owners have webhooks, and what cannot be one is refused in a sentence', async () => {
  const member = await seedMember(hub, project);
  const { projectId } = project;
  const { webhookId, secret } = await create('https://hooks.example/x');
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const [name, input] of [
    ['projects_QueryWebhooks', { projectId }],
    [
      'projects_CreateWebhook',
      { projectId, name: 'x', url: 'https://hooks.example/x', types: ['devices_*'] },
    ],
    ['projects_QueryWebhookDeliveries', { webhookId }],
    ['projects_RotateWebhookSecret', { webhookId }],
    ['projects_DeleteWebhook', { webhookId }],
  ] as const)
    expect(await hub.refusal(member, name, input)).toMatchObject({ kind: 'Forbidden' });
  const refused = async (more: object) =>
    (await hub.refusal(project.owner, 'projects_ChangeWebhook', { webhookId, ...more })).message;
  expect(await refused({ url: 'ftp://hooks.example' })).toMatch(/^The URL must begin with https:/);
  expect(await refused({ url: 'https://ann:secret@hooks.example' })).toMatch(/user name or a password/);
  expect(await refused({ types: ['users_Created'] })).toMatch(
    /No event of a project is called "users_Created"/,
  );
  expect(await refused({ types: ['nothing*'] })).toMatch(/No event/);
  await hub.as(project.owner, 'projects_DeleteProject', { projectId });
  const { rows } = await sql`select 1 from webhook_messages union all select 1 from webhooks`.execute(
    hub.database.db,
  );
  expect(rows).toEqual([]);
});

test('a webhook in the format of a service sends a text without a signature, and keeps no secret but its URL', async () => {
  const { received, url } = await receiver();
  const { projectId } = project;
  const made = await hub.as(project.owner, 'projects_CreateWebhook', {
    projectId,
    name: 'Chat',
    url,
    types: [],
    format: 'Slack',
  });
  expect(made.secret).toBeUndefined();
  const { webhookId } = made;
  sending();
  await rename('Barns');
  await hub.as(project.owner, 'projects_TestWebhook', { webhookId });
  await expect.poll(() => received.length).toBe(1);
  expect(received[0]?.headers['webhook-signature']).toBeUndefined();
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ text: expect.stringContaining('Test of a webhook') });
  await hub.as(project.owner, 'projects_ChangeWebhook', { webhookId, types: ['projects_NameChanged'] });
  await rename('<!channel> @everyone');
  await expect.poll(() => received.length).toBe(2);
  expect(received[1]?.body).toContain('name &lt;!channel&gt; @\u200beveryone');
  expect((await hub.refusal(project.owner, 'projects_RotateWebhookSecret', { webhookId })).message).toMatch(
    /not signed/,
  );
  const toNtfy = { webhookId, format: 'Ntfy', url: 'https://ntfy.example/' } as const;
  expect((await hub.refusal(project.owner, 'projects_ChangeWebhook', toNtfy)).message).toMatch(/topic/);
  expect(await webhooks()).toMatchObject([{ format: 'Slack' }]);
});

test('an older message that is tried again tells Alertmanager how the rule stands now', async () => {
  let status = 503;
  const { received, url } = await receiver(() => ({ status }));
  const { projectId } = project;
  const given = { projectId, name: 'Alerts', url, types: [], format: 'Alertmanager' as const };
  const { webhookId } = await hub.as(project.owner, 'projects_CreateWebhook', given);
  const leave = async (type: string, firing: number) => {
    const data = {
      ruleId: 'r',
      ruleName: 'Away',
      severity: 'Critical',
      kind: 'Offline',
      count: firing,
      resolvedCount: 1 - firing,
    };
    const more = {
      firing,
      fired: [],
      resolved: [],
      unstable: 0,
      at: hub.now().toISOString(),
      url: 'https://hub.example/',
    };
    await addMessage(hub.database.db, ids.webhook.raw(webhookId), {
      type,
      data: { ...data, ...more },
      now: hub.now(),
    });
  };
  await leave('alert.fired', 1);
  const sender = sending();
  await expect.poll(() => deliveries(webhookId)).toMatchObject([{ attempts: 1, status: 'Waiting' }]);
  hub.advance(2);
  await leave('alert.resolved', 0);
  status = 200;
  await sender.sendDue();
  hub.advance(60);
  await sender.sendDue();
  await expect
    .poll(() => deliveries(webhookId))
    .toMatchObject([{ status: 'Accepted' }, { status: 'Accepted' }]);
  const [first, ...later] = received.map(
    ({ body }) => (JSON.parse(body) as { startsAt: string; endsAt: string }[])[0],
  );
  expect(first?.endsAt).not.toBe(first?.startsAt);
  for (const alert of later) expect(alert?.endsAt).toBe(alert?.startsAt);
});

test('messages are listed for 30 days, and of too many that wait the oldest are given up', async () => {
  const { webhookId } = await create('https://hooks.example/x', ['projects_NameChanged']);
  await sql`
    insert into webhook_messages (webhook_id, message_id, type, data, happened_at, next_attempt_at)
      select ${ids.webhook.raw(webhookId)}, 'old' || n, 'x', '{}', ${hub.now()}::timestamptz - n * interval '1 second', ${hub.now()}
      from generate_series(1, 10001) as n`.execute(hub.database.db);
  await hub.run(PruneMessages);
  const { deliveries: failed } = await hub.as(project.owner, 'projects_QueryWebhookDeliveries', {
    webhookId,
    status: 'Failed',
  });
  expect(failed).toMatchObject([{ lastError: expect.stringContaining('Too many') }]);
  hub.advance(31 * 86_400);
  await hub.run(PruneMessages);
  expect(await deliveries(webhookId)).toEqual([]);
});
