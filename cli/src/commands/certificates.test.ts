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
const rotation = {
  deviceId,
  deviceName: 'pump\u001B[2J 4',
  state: 'Arrived',
  startedBy: { actor: 'System' },
  startedAt: '2026-11-20T11:00:00Z',
  until: '2026-11-21T11:00:00Z',
  oldEndsAt: '2026-11-21T12:00:00Z',
  graceSecs: 86_400,
};
const answers: Record<string, object> = {
  projects_QueryProjects: { projects: [{ projectId, name: 'Plant' }] },
  fleet_PreviewChange: {
    matched: 4,
    eligible: 3,
    connected: 2,
    needsOwner: true,
    undoable: false,
    previewHash: '3-a',
    samples: [],
    excluded: [{ reason: 'It has no active certificate.', count: 1, sample: [] }],
  },
  devices_StartCertificateRotation: { devices: 3, jobId: `flt_job_${'7'.repeat(22)}` },
  devices_CancelCertificateRotation: {},
  devices_QueryCertificateRotations: { rotations: [rotation] },
};

let server: Server;
let calls: Call[];
beforeEach(async () => {
  calls = [];
  server = createServer(async (request, response) => {
    const action = request.url?.replace('/api/v1/actions/invoke/', '') ?? '';
    calls.push({ action, input: (await readJson(request)) as Record<string, unknown> });
    response.writeHead(answers[action] === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[action] ?? { kind: 'Invalid', message: 'No such action.' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

const ask = (...args: string[]) =>
  corral(args, {
    env: {
      CORRAL_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CORRAL_TOKEN: token,
    },
  });
const called = (action: string) => calls.filter((call) => call.action === action).map(({ input }) => input);

test('rotate says on which devices, and opens their windows', async () => {
  const preview = await ask('certificates', 'rotate', '--on', 'certAge>365d', '--preview');
  expect(preview.stdout).toContain('3 devices may replace their certificates.');
  expect(preview.stdout).toContain('1 device left out: It has no active certificate.');
  expect(called('devices_StartCertificateRotation')).toEqual([]);
  const options = ['--grace', '7d', '--window', '12h', '--reason', 'yearly', '--yes'];
  const { code, stdout } = await ask('certificates', 'rotate', '--on', 'certAge>365d', ...options);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('opens for 3 devices') });
  expect(called('devices_StartCertificateRotation')).toEqual([
    { projectId, query: 'certAge>365d', graceSecs: 604_800, windowSecs: 43_200, reason: 'yearly' },
  ]);
});

test('rotations are listed with what comes, without control characters', async () => {
  const { stdout } = await ask('certificates', 'rotations');
  expect(stdout).toContain('arrived');
  expect(stdout).toContain('the old one ends');
  expect(stdout).not.toContain('\u001B[2J');
});

test('cancel ends the rotation of a device; a wrong time is named', async () => {
  expect((await ask('certificates', 'cancel', deviceId)).code).toBe(0);
  expect(called('devices_CancelCertificateRotation')).toEqual([{ deviceId }]);
  const wrong = await ask('certificates', 'rotate', '--on', 'all', '--grace', 'soon');
  expect(wrong.stderr).toContain('It must be a duration such as 30min, 4h or 7d.');
});
