import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connectLink, deviceHeaders, isOpen, newDevice } from '../../../test/device-client.ts';
import { freshGateway, type FreshGateway } from '../../../test/fresh-gateway.ts';
import { deviceIdOf, gatewayScene } from '../../../test/gateway-scene.ts';
import { ReportClusterNodeHeartbeat } from '../instance/internal/ReportClusterNodeHeartbeat.ts';
import { CleanupInactiveClusterNodes } from '../instance/internal/CleanupInactiveClusterNodes.ts';
import { lookAtRules } from './jobs/look-at-rules.ts';

const [stopSecs, stepSecs] = [1_800, 10];

/** A hub with three devices on WebSockets, and a rule about those that are away for a minute. */
async function sceneOf() {
  const scene = await gatewayScene();
  const { hub, owner, projectId } = scene;
  const { webhookId } = await hub.as(owner, 'projects_CreateWebhook', {
    projectId,
    name: 'Chat',
    url: 'https://hooks.example/alerts',
    types: [],
  });
  await hub.as(owner, 'alerts_CreateRule', {
    projectId,
    name: 'Away',
    condition: { kind: 'Offline', forSecs: 60 },
    severity: 'Critical',
    channels: { mails: 'None', webhookIds: [webhookId] },
  });
  const devices = [await newDevice(), await newDevice(), await newDevice()] as const;
  /** Lets time pass while a node lives, which looks after rules. */
  const pass = async (seconds: number, node: FreshGateway) => {
    for (let left = seconds; left > 0; left -= stepSecs) {
      hub.advance(stepSecs);
      await hub.run(ReportClusterNodeHeartbeat, { nodeId: node.nodeId });
      await hub.run(CleanupInactiveClusterNodes);
      await sql`update alert_rules set next_look_at = ${hub.now()}`.execute(hub.database.db);
      await lookAtRules({
        executor: hub.executor,
        log: { warn: (fields, message) => console.error(message, fields) },
      });
    }
  };
  const connect = async (number: number, { url }: FreshGateway) => {
    const answer = await connectLink(url, deviceHeaders(devices[number]!, scene.token));
    if (!isOpen(answer)) throw new Error(answer.body.message);
    return { link: answer, deviceId: await deviceIdOf(answer) };
  };
  const told = async () => {
    const { rows } = await sql<{ type: string; devices: string[] }>`
      select type, array(select e ->> 'deviceId' from jsonb_array_elements((data -> 'fired') || (data -> 'resolved')) as e) as devices
      from webhook_messages where webhook_id = ${ids.webhook.raw(webhookId)} order by happened_at, message_id`.execute(
      hub.database.db,
    );
    return rows;
  };
  return {
    scene,
    pass,
    connect,
    told,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

test.each(['stopped', 'killed'])(
  'devices on WebSockets that come back to a hub that was %s for half an hour are told to nobody, and one that is gone once',
  async (how) => {
    await using all = await sceneOf();
    const { scene, pass, connect, told } = all;
    const first = [await connect(0, scene), await connect(1, scene), await connect(2, scene)];
    await pass(120, scene);
    expect(await told()).toEqual([]);
    if (how === 'stopped') {
      await scene.gateway.stop();
      await Promise.all(first.map(({ link }) => link.connection.closed));
      await scene.hub.run(ReportClusterNodeHeartbeat, {
        nodeId: scene.nodeId,
        isLeaving: true,
      });
    }
    scene.hub.advance(stopSecs);
    await using next = await freshGateway({ besides: scene });
    await pass(60, next);
    await connect(0, next);
    await pass(60, next);
    await connect(1, next);
    await pass(80, next);
    expect(await told()).toEqual([]);
    await pass(60, next);
    const gone = { type: 'alert.fired', devices: [first[2]!.deviceId] };
    expect(await told()).toEqual([gone]);
    await pass(900, next);
    expect(await told()).toEqual([gone]);
    await connect(2, next);
    await pass(60, next);
    expect(await told()).toEqual([gone, { ...gone, type: 'alert.resolved' }]);
  },
);
