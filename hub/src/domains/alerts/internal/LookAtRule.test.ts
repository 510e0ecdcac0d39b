import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { alertScene, type AlertScene } from '../../../../test/alert-scene.ts';

let scene: AlertScene;
beforeEach(async () => {
  scene = await alertScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

const minute = { kind: 'Offline', forSecs: 60 } as const;

test('three devices leave and one message names them; one is acknowledged; all return and one message says so', async () => {
  const { addDevice, addRule, leave, connect, pass, hub, project } = scene;
  const devices = [await addDevice('barn'), await addDevice('mill'), await addDevice('silo')];
  const ruleId = await addRule({ name: 'Away', condition: minute, severity: 'Critical' });
  await pass(30);
  await leave(devices);
  const leftAt = hub.now().toISOString();
  await pass(50);
  expect(await scene.alerts()).toMatchObject([
    { state: 'Pending' },
    { state: 'Pending' },
    { state: 'Pending' },
  ]);
  expect(await scene.told()).toEqual([]);
  await pass(10);
  const [message] = await scene.told();
  expect(message).toMatchObject({
    type: 'alert.fired',
    data: {
      projectId: project.projectId,
      projectName: 'Plant',
      ruleId,
      ruleName: 'Away',
      severity: 'Critical',
      kind: 'Offline',
      count: 3,
      resolvedCount: 0,
      unstable: 0,
      firing: 3,
      resolved: [],
    },
  });
  const fired = message?.data.fired ?? [];
  expect(fired.map(({ subject }) => subject).toSorted()).toEqual(['barn', 'mill', 'silo']);
  expect(new Set(fired.map(({ deviceId }) => deviceId))).toEqual(new Set(devices));
  expect(new Set(fired.map((alert) => Date.parse((alert as { since?: string }).since ?? '')))).toEqual(
    new Set([Date.parse(leftAt)]),
  );
  const { alerts } = await hub.as(scene.member, 'alerts_QueryAlerts', { projectId: project.projectId });
  const { alertId } = alerts[0]!;
  expect(await hub.as(scene.member, 'alerts_Acknowledge', { alertIds: [alertId] })).toEqual({
    acknowledged: 1,
  });
  await pass(300);
  await connect(...devices);
  await pass(40);
  expect(await scene.story()).toEqual(['alert.fired: 3 fired', 'alert.resolved: 3 resolved']);
  expect(await scene.alerts()).toMatchObject([
    { state: 'Resolved', end_reason: 'Recovered' },
    { state: 'Resolved' },
    { state: 'Resolved' },
  ]);
  const names = hub.emittedEvents.map(({ name }) => name);
  expect(names.filter((name) => name === 'alerts_Told')).toHaveLength(2);
  expect(names).toContain('alerts_Changed');
});

test('a device that comes back in time is told to nobody', async () => {
  const device = await scene.addDevice('barn');
  await scene.addRule({ condition: minute });
  await scene.pass(10);
  await scene.leave([device]);
  await scene.pass(50);
  await scene.connect(device);
  await scene.pass(300);
  expect(await scene.told()).toEqual([]);
  expect(await scene.alerts()).toEqual([]);
});

describe('a device that comes and goes every 40 seconds', () => {
  const flap = async (device: Awaited<ReturnType<AlertScene['addDevice']>>, times: number) => {
    for (let time = 0; time < times; time += 1) {
      await scene.leave([device]);
      await scene.pass(40, 5);
      await scene.connect(device);
      await scene.pass(40, 5);
    }
  };

  test('is told to nobody by a rule of a minute, also where the hub looks once a minute', async () => {
    const device = await scene.addDevice('barn');
    await scene.addRule({ condition: minute });
    await flap(device, 5);
    for (let time = 0; time < 5; time += 1) {
      await scene.leave([device]);
      scene.hub.advance(40);
      await scene.connect(device);
      scene.hub.advance(10);
      await scene.leave([device]);
      await scene.pass(10);
      await scene.connect(device);
    }
    expect(await scene.told()).toEqual([]);
  });

  test('is told to fire, to be well, to be unstable, and to be well', async () => {
    const device = await scene.addDevice('barn');
    await scene.addRule({ condition: { kind: 'Offline', forSecs: 0 } });
    await flap(device, 8);
    await scene.pass(700);
    const story = await scene.story();
    expect(story).toEqual([
      'alert.fired: 1 fired',
      'alert.resolved: 1 resolved',
      'alert.fired: 1 unstable',
      'alert.resolved: 1 resolved',
    ]);
    expect(await scene.alerts()).toMatchObject([{ state: 'Resolved', end_reason: 'Recovered' }]);
  });
});

describe('after a stop of the hub', () => {
  test('devices that return in their window are told to nobody, and one that died meanwhile is told once, a minute after the window', async () => {
    const { hub, pass, leave } = scene;
    const [well, dead, before] = [
      await scene.addDevice('well'),
      await scene.addDevice('dead'),
      await scene.addDevice('before'),
    ];
    await scene.addRule({ condition: minute });
    await pass(60);
    await leave([before]);
    await pass(30);
    await leave([well, dead], { reason: 'ServerShutdown', cause: null });
    hub.advance(1_800);
    const backMs = hub.now().getTime();
    await pass(100);
    await scene.connect(well);
    await pass(70);
    expect(await scene.told()).toEqual([]);
    await pass(100);
    const told = await scene.told();
    expect(told.flatMap(({ data }) => data.fired.map(({ subject }) => subject)).toSorted()).toEqual([
      'before',
      'dead',
    ]);
    for (const { at, data } of told) {
      const afterSecs = (Date.parse(at) - backMs) / 1000;
      expect(afterSecs).toBeGreaterThanOrEqual(
        data.fired.some(({ subject }) => subject === 'dead') ? 210 : 180,
      );
      expect(afterSecs).toBeLessThanOrEqual(250);
    }
    await pass(1_000);
    expect(await scene.told()).toHaveLength(told.length);
  });

  test('also a stop of some seconds is no time in which a device was away', async () => {
    const device = await scene.addDevice('barn');
    await scene.addRule({ condition: minute });
    await scene.pass(60);
    await scene.leave([device]);
    await scene.pass(30);
    scene.hub.advance(25);
    await scene.pass(20);
    await scene.connect(device);
    await scene.pass(300);
    expect(await scene.told()).toEqual([]);
  });

  test('a rule about a share of the devices tells that they do not come back, once', async () => {
    const devices = [await scene.addDevice('a'), await scene.addDevice('b')];
    await scene.addRule({ condition: { kind: 'Missing', percent: 50, forSecs: 60 } });
    await scene.pass(60);
    await scene.leave(devices, { reason: 'ServerShutdown', cause: null });
    scene.hub.advance(1_800);
    await scene.pass(50);
    expect(await scene.told()).toEqual([]);
    await scene.pass(200);
    expect(await scene.story()).toEqual(['alert.fired: 1 fired']);
    expect((await scene.told())[0]?.data.fired).toMatchObject([{ subject: '2 of 2 devices' }]);
  });

  test('a rule about what connected devices report neither ends nor begins while they come back', async () => {
    const device = await scene.addDevice('barn');
    await scene.addRule({ condition: { kind: 'Matching', filter: 'connected:true', forSecs: 0 } });
    await scene.pass(60);
    expect(await scene.story()).toEqual(['alert.fired: 1 fired']);
    await scene.leave([device], { reason: 'ServerShutdown', cause: null });
    scene.hub.advance(600);
    await scene.pass(60);
    await scene.connect(device);
    await scene.pass(300);
    expect(await scene.story()).toEqual(['alert.fired: 1 fired']);
  });
});

test('devices of a node that was lost get the time to come back to another one', async () => {
  const [back, dead] = [await scene.addDevice('back'), await scene.addDevice('dead')];
  const { db } = scene.hub.database;
  await scene.addRule({ condition: { kind: 'Offline', forSecs: 30 } });
  await scene.pass(60);
  // Before the clean-up has ended the connections.
  await sql`update cluster_nodes set lease_until = ${scene.hub.now()}`.execute(db);
  await scene.pass(40);
  expect(await scene.told()).toEqual([]);
  await sql`update device_connections set ended_at = (select lease_until from cluster_nodes), end_reason = 'NodeCrashed'`.execute(
    db,
  );
  await sql`update cluster_nodes set lease_until = 'infinity'`.execute(db);
  await scene.pass(60);
  await scene.connect(back);
  await scene.pass(60);
  expect(await scene.told()).toEqual([]);
  await scene.pass(60);
  expect((await scene.told()).flatMap(({ data }) => data.fired)).toMatchObject([
    { subject: 'dead', deviceId: dead },
  ]);
});

test('a clock that is set back two hours makes no message, and times that are to come are now', async () => {
  const [away, barn] = [await scene.addDevice('away'), await scene.addDevice('barn')];
  await scene.addRule({ condition: { kind: 'Offline', forSecs: 300 } });
  await scene.leave([away]);
  await scene.pass(330);
  expect(await scene.story()).toEqual(['alert.fired: 1 fired']);
  await scene.leave([barn]);
  await scene.pass(60);
  scene.hub.advance(-7_200);
  await scene.pass(60);
  const { rows } =
    await sql`select 1 from alerts where since > ${scene.hub.now()} or fired_at > ${scene.hub.now()}`.execute(
      scene.hub.database.db,
    );
  expect(rows).toEqual([]);
  expect(await scene.story()).toEqual(['alert.fired: 1 fired']);
  await scene.pass(600);
  expect(await scene.story()).toEqual(['alert.fired: 1 fired', 'alert.fired: 1 fired']);
  await scene.connect(away, barn);
  await scene.pass(60);
  expect((await scene.story()).toSorted()).toEqual([
    'alert.fired: 1 fired',
    'alert.fired: 1 fired',
    'alert.resolved: 2 resolved',
  ]);
});

test('the alert of a device that is deleted ends with that reason, and nothing follows', async () => {
  const [told, untold] = [await scene.addDevice('told'), await scene.addDevice('untold')];
  const { hub, project } = scene;
  await scene.addRule({ condition: minute });
  await scene.leave([told]);
  await scene.pass(90);
  await scene.leave([untold]);
  await scene.pass(30);
  for (const deviceId of [told, untold]) await hub.as(project.owner, 'devices_DeleteDevice', { deviceId });
  await scene.pass(900);
  expect(await scene.story()).toEqual(['alert.fired: 1 fired', 'alert.resolved: 1 resolved']);
  expect((await scene.told())[1]?.data.resolved).toMatchObject([{ subject: 'told', end: 'SubjectDeleted' }]);
  expect(await scene.alerts()).toMatchObject([{ state: 'Resolved', end_reason: 'SubjectDeleted' }]);
});

test('names are one line of at most 200 characters, without marks that turn the direction of text', async () => {
  const { db } = scene.hub.database;
  const device = await scene.addDevice('x');
  const name = `a\r\nBcc: all@example.org \u202Eevil @everyone <!channel> <b>${'y'.repeat(2_000)}`;
  await sql`update devices set name = ${name} where device_id = ${ids.device.raw(device)}`.execute(db);
  await scene.addRule({ condition: minute });
  await scene.leave([device]);
  await scene.pass(90);
  const subject = (await scene.told())[0]?.data.fired[0]?.subject ?? '';
  expect(subject).toMatch(/^a Bcc: all@example\.org  ?evil @everyone <!channel> <b>y+$/);
  expect(subject.length).toBeLessThanOrEqual(200);
});

test('resolved is told only where somebody was told that it fires', async () => {
  const device = await scene.addDevice('barn');
  const { hub, project } = scene;
  await scene.addRule({ condition: minute });
  const { muteId } = await hub.as(project.owner, 'alerts_Mute', {
    projectId: project.projectId,
    until: new Date(hub.now().getTime() + 86_400_000).toISOString(),
  });
  await scene.leave([device]);
  await scene.pass(120);
  await scene.connect(device);
  await scene.pass(60);
  await hub.as(project.owner, 'alerts_Unmute', { muteId });
  await scene.pass(900);
  expect(await scene.told()).toEqual([]);
  expect(await scene.alerts()).toMatchObject([{ state: 'Resolved', is_told: false }]);
});
