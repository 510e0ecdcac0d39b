import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { alertScene, type AlertScene } from '../../../../test/alert-scene.ts';
import { startNodeThatSends } from '../../../../test/killed-node.ts';
import { waitingLocks } from '../../../../test/seed.ts';
import { systemCaller } from '../../../calls/handler.ts';
import { outgoingRule } from '../../../config/outgoing-addresses.ts';
import { openOutgoing } from '../../../platform/outgoing/open-outgoing.ts';
import { startWebhooks } from '../../webhooks/jobs/send-messages.ts';
import { LookAtRule } from '../internal/LookAtRule.ts';
import { lookAtRules, startAlertTicks } from './look-at-rules.ts';

let scene: AlertScene;
beforeEach(async () => {
  scene = await alertScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on a socket; it answers nothing where `onRequest` says so. */
async function receiver(onRequest: () => 'answer' | 'silence' = () => 'answer') {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    received.push({ headers: request.headers, body });
    if (onRequest() === 'answer') response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

test('a node that is killed while it sends a message leaves it to another one, which sends it under the same id, signed', async () => {
  const { hub, project } = scene;
  const device = await scene.addDevice('barn');
  let dying: ReturnType<typeof startNodeThatSends> | undefined;
  const { received, url } = await receiver(() => {
    if (dying === undefined) return 'answer';
    dying.kill();
    return 'silence';
  });
  const { webhookId, secret } = await hub.as(project.owner, 'projects_CreateWebhook', {
    projectId: project.projectId,
    name: 'Receiver',
    url,
    types: ['projects_NameChanged'],
  });
  await scene.addRule({
    condition: { kind: 'Offline', forSecs: 0 },
    channels: { mails: 'None', webhookIds: [webhookId] },
  });
  await scene.leave([device]);
  await scene.pass(10);
  dying = startNodeThatSends(hub);
  await dying.isKilled();
  dying = undefined;
  const outgoing = openOutgoing({ rule: outgoingRule([{ place: '127.0.0.1', port: undefined }]) });
  const sender = startWebhooks({
    executor: hub.executor,
    outgoing,
    log: { warn: (fields) => console.error(fields) },
  });
  await sender.sendDue();
  expect(received).toHaveLength(1);
  hub.advance(61);
  await sender.sendDue();
  await sender.stop();
  expect(received).toHaveLength(2);
  expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
  vi.useFakeTimers({ toFake: ['Date'], now: hub.now() });
  const message = new Webhook(secret ?? '').verify(
    received[1]!.body,
    received[1]!.headers as Record<string, string>,
  );
  vi.useRealTimers();
  expect(message).toMatchObject({
    type: 'alert.fired',
    data: { count: 1, fired: [{ subject: 'barn', deviceId: device }] },
  });
});

test('a rule that cannot be looked at rests, and keeps no other one waiting', async () => {
  const { hub } = scene;
  const device = await scene.addDevice('barn');
  await scene.addRule({ name: 'broken', condition: { kind: 'Offline', forSecs: 0 } });
  await scene.addRule({ name: 'whole', condition: { kind: 'Offline', forSecs: 0 } });
  await scene.leave([device]);
  await sql`update alert_rules set condition = '{"kind": "Offline", "forSecs": "x"}' where name = 'broken'`.execute(
    hub.database.db,
  );
  const warnings: string[] = [];
  const look = () =>
    lookAtRules({ executor: hub.executor, log: { warn: (_, message) => void warnings.push(message) } });
  hub.advance(10);
  await look();
  expect(await scene.story()).toEqual(['alert.fired: 1 fired']);
  await look();
  expect(warnings).toHaveLength(1);
  hub.advance(61);
  await look();
  expect(warnings).toHaveLength(2);
});

test('a look rests two seconds at least, and a clock that is set back far does not make it rest for longer', async () => {
  const { hub } = scene;
  await scene.addRule({ condition: { kind: 'Offline', forSecs: 0 } });
  const looks = async () => {
    const { rows } = await sql<{ at: string }>`select looked_at as at from alert_rules`.execute(
      hub.database.db,
    );
    return rows[0]?.at;
  };
  const look = () => lookAtRules({ executor: hub.executor, log: { warn: console.error } });
  await look();
  const first = await looks();
  hub.advance(1);
  await look();
  expect(await looks()).toBe(first);
  hub.advance(60);
  await look();
  expect(await looks()).not.toBe(first);
  hub.advance(-7_200);
  await look();
  expect(Date.parse((await looks()) ?? '')).toBe(hub.now().getTime());
});

test('a deleted rule is looked at by nobody', async () => {
  const ruleId = await scene.addRule({ condition: { kind: 'Offline', forSecs: 0 } });
  await scene.hub.as(scene.project.owner, 'alerts_DeleteRule', { ruleId });
  await scene.hub.executor.run(systemCaller, LookAtRule, { ruleId: ruleId.slice('alert_rule_'.length) });
  expect(await scene.alerts()).toEqual([]);
});

test('looks that take long are no time in which no hub was there', async () => {
  const { hub } = scene;
  const { db } = hub.database;
  const device = await scene.addDevice('barn');
  await scene.addRule({ condition: { kind: 'Offline', forSecs: 60 } });
  await scene.leave([device]);
  await scene.look();
  const watch = async () => {
    const { rows } = await sql<{ seen: Date; resumed: Date }>`
      select watched_at as seen, resumed_at as resumed from alert_watch`.execute(db);
    return rows[0]!;
  };
  const { resumed } = await watch();
  const blocked = await db.startTransaction().execute();
  await sql`lock table alerts in exclusive mode`.execute(blocked);
  const log = { warn: (fields: object, message: string) => console.error(message, fields) };
  hub.advance(10);
  const ticks = startAlertTicks({ executor: hub.executor, log });
  try {
    await expect.poll(() => waitingLocks(db), { timeout: 10_000 }).toBe(1);
    const seen = async () => new Date((await watch()).seen);
    for (let step = 0; step < 6; step += 1) {
      hub.advance(10);
      await expect.poll(seen, { timeout: 5_000 }).toEqual(hub.now());
    }
  } finally {
    await blocked.rollback().execute();
    await ticks.stop();
  }
  hub.advance(10);
  await scene.look();
  expect((await watch()).resumed).toEqual(resumed);
  expect(await scene.story()).toEqual(['alert.fired: 1 fired']);
});
