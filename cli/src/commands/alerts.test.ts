import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { corral, token } from '../../test/cli-process.ts';

interface Call {
  readonly action: string;
  readonly input: Record<string, unknown>;
}

const projectId = `p_${'1'.repeat(22)}`;
const deviceId = `d_${'3'.repeat(22)}`;
const muteId = `alert_mute_${'7'.repeat(22)}`;
const alert = {
  alertId: 'alert_20261120-1100-77777777',
  projectId,
  projectName: 'Plant',
  ruleId: `alert_rule_${'7'.repeat(22)}`,
  ruleName: 'Pumps',
  severity: 'Critical',
  state: 'Firing',
  subject: 'pump\u001B[2J 4',
  since: '2026-11-20T11:00:00Z',
  flaps: 1,
  isMuted: false,
  isTold: true,
};
const answers: Record<string, object> = {
  projects_QueryProjects: { projects: [{ projectId, name: 'Plant' }] },
  alerts_QueryAlerts: { alerts: [alert] },
  alerts_Acknowledge: { acknowledged: 1 },
  alerts_Mute: { muteId },
  alerts_Unmute: {},
  alerts_TestRule: {
    mails: 2,
    messages: [{ webhookId: `hook_${'7'.repeat(22)}`, messageId: 'msg_20261120-1100-77777777' }],
  },
  alerts_QueryMutes: { mutes: [] },
  devices_GetDeviceDetails: { deviceId, projectId: `p_${'2'.repeat(22)}` },
};

let server: Server;
let calls: Call[];
beforeEach(async () => {
  calls = [];
  server = createServer((request, response) => {
    void readJson(request).then((input) => {
      const action = request.url?.split('/').at(-1) ?? '';
      calls.push({ action, input: input as Call['input'] });
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answers[action]));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (...args: string[]) =>
  corral(args, {
    env: {
      CORRAL_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CORRAL_TOKEN: token,
    },
  });

test('lists what has not ended of all projects, or also what has of one', async () => {
  const { code, stdout } = await ask('alerts', 'list');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /Critical +firing, unstable +pump.* 4 +Pumps +Plant +.* ago +alert_20261120-1100-77777777/,
  );
  expect(stdout).not.toContain('\u001B');
  const states = ['Pending', 'Firing', 'Acknowledged'];
  expect(calls).toEqual([{ action: 'alerts_QueryAlerts', input: { all: true, states, limit: 100 } }]);
  expect(JSON.parse((await ask('--json', 'alerts', 'list', '--project', 'Plant', '--ended')).stdout)).toEqual(
    answers['alerts_QueryAlerts'],
  );
  expect(calls.at(-1)?.input).toEqual({ projectId, limit: 100 });
});

test('acknowledges alerts by their ids', async () => {
  expect(await ask('alerts', 'ack', alert.alertId)).toMatchObject({ stdout: '✓ 1 alert acknowledged.\n' });
  expect(calls).toEqual([{ action: 'alerts_Acknowledge', input: { alertIds: [alert.alertId] } }]);
  expect(await ask('alerts', 'ack', 'pump')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('It must be an id, such as alert_20261120-1100-77777777.'),
  });
});

test('mutes the devices that a filter finds for a while, and says how to end it', async () => {
  const began = Date.now();
  const { stdout } = await ask('alerts', 'mute', '--on', 'site:north', '--for', '2h', '--reason', 'Repair');
  expect(stdout).toContain(`corral alerts unmute ${muteId}`);
  const { input } = calls.at(-1) ?? {};
  expect(input).toEqual({ projectId, filter: 'site:north', reason: 'Repair', until: expect.any(String) });
  expect(Date.parse(String(input?.['until']))).toBeGreaterThanOrEqual(began + 7_200_000);
  await ask('alerts', 'unmute', muteId);
  expect(calls.at(-1)).toEqual({ action: 'alerts_Unmute', input: { muteId } });
  expect(await ask('alerts', 'mutes')).toMatchObject({ stdout: 'Nothing is muted.\n' });
});

test('mutes a device in its project, whichever others there are', async () => {
  await ask('alerts', 'mute', '--device', deviceId);
  expect(calls.at(-1)?.input).toMatchObject({ projectId: `p_${'2'.repeat(22)}`, deviceId });
});

test('tests a rule and says how much it sends', async () => {
  expect(await ask('alerts', 'test', alert.ruleId)).toMatchObject({
    stdout: '✓ 2 e-mails and 1 webhook message will be sent.\n',
  });
  expect(calls).toEqual([{ action: 'alerts_TestRule', input: { ruleId: alert.ruleId } }]);
});

test('a duration that is none is refused before anything is muted', async () => {
  expect(await ask('alerts', 'mute', '--for', 'soon')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('It must be a duration such as 30min, 4h or 7d.'),
  });
  expect(calls).toEqual([]);
});
