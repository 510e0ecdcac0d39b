import { verify, X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentProcess } from '../test/agent-process.ts';
import { deviceId, HubPeer, ok, token } from '../test/hub-peer.ts';

let hub: HubPeer;
let state: string;
let running: AgentProcess | undefined;
beforeEach(async () => {
  hub = await HubPeer.start();
  state = await mkdtemp(join(tmpdir(), 'corral-agent-'));
});
afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  await hub.stop();
  await rm(state, { recursive: true, force: true });
});

const run = (more: string[] = []): AgentProcess => {
  running = new AgentProcess(['run', '--hub-url', hub.url, '--state', state, ...more], {
    CORRAL_AGENT_TOKEN: token,
  });
  return running;
};

/** The certificates with which the agent has connected. */
const shown = () =>
  hub.upgrades
    .map((headers) => decodeURIComponent(String(headers['x-client-cert'])))
    .map((pem) => new X509Certificate(pem).fingerprint256);

/** Opens a window until a certificate is announced, and returns what was announced. */
function openWindow() {
  const announced: { pem: string; signature: string }[] = [];
  hub.answers['devices_GetDeviceProperty'] = async () =>
    announced.length > 0
      ? ok({ result: 'NotFound' })
      : ok({
          result: 'Found',
          name: 'corral.certificate.rotation',
          value: { nonce: 'n0nce' },
          protected: true,
          version: 1,
        });
  hub.answers['devices_SetDeviceProperty'] = async ({ value }) => {
    announced.push(value as (typeof announced)[number]);
    return ok({ result: 'Set' });
  };
  return announced;
}

test('run announces a new certificate over the old one, signed by its key, and comes back with it', async () => {
  const announced = openWindow();
  const agent = run();
  await vi.waitFor(() => expect(shown()).toHaveLength(2), { timeout: 15_000 });
  await agent.says(/the certificate of this device is replaced/);
  const [first, second] = shown();
  expect(first).not.toBe(second);
  const certificate = new X509Certificate(announced[0]!.pem);
  expect(certificate.fingerprint256).toBe(second);
  const signed = Buffer.from(`n0nce.${deviceId}`);
  const signature = Buffer.from(announced[0]!.signature, 'base64');
  expect(verify('sha256', signed, certificate.publicKey, signature)).toBe(true);
  await vi.waitFor(async () =>
    expect((await readdir(state)).toSorted()).toEqual(['certificate.pem', 'fingerprint', 'key.pem']),
  );
  await agent.stop();
  run();
  await vi.waitFor(() => expect(shown()).toHaveLength(3));
  expect(shown()[2]).toBe(second);
});

test('a refused announcement changes nothing, and the next attempt announces the same certificate', async () => {
  const announced = openWindow();
  const accept = hub.answers['devices_SetDeviceProperty'];
  const refused: string[] = [];
  hub.answers['devices_SetDeviceProperty'] = async ({ value }) => {
    refused.push((value as { pem: string }).pem);
    return { result: 'Error', error: { kind: 'Invalid', message: 'Not now.' } } as never;
  };
  const agent = run();
  await agent.says(/the certificate was not replaced: .*Not now/);
  expect(announced).toEqual([]);
  await agent.stop();
  hub.answers['devices_SetDeviceProperty'] = accept!;
  run();
  await vi.waitFor(() => expect(announced).toHaveLength(1));
  expect(announced[0]!.pem).toBe(refused[0]);
});
