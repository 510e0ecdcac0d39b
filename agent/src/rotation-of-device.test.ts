import { verify, X509Certificate } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { agentScene } from '../test/agent-scene.ts';
import { deviceId, ok } from '../test/hub-peer.ts';

const scene = agentScene();

/** The certificates with which the agent has connected. */
const shown = () =>
  scene.hub.upgrades
    .map((headers) => decodeURIComponent(String(headers['x-client-cert'])))
    .map((pem) => new X509Certificate(pem).fingerprint256);

/** Opens a window until a certificate is announced, and returns what was announced. */
function openWindow() {
  const announced: { pem: string; signature: string }[] = [];
  scene.hub.answers['devices_GetDeviceProperty'] = async () =>
    announced.length > 0
      ? ok({ result: 'NotFound' })
      : ok({
          result: 'Found',
          name: 'corral.certificate.rotation',
          value: { nonce: 'n0nce' },
          protected: true,
          version: 1,
        });
  scene.hub.answers['devices_SetDeviceProperty'] = async ({ value }) => {
    announced.push(value as (typeof announced)[number]);
    return ok({ result: 'Set' });
  };
  return announced;
}

test('run announces a new certificate over the old one, signed by its key, and comes back with it', async () => {
  const announced = openWindow();
  const agent = scene.run();
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
    expect((await readdir(scene.state)).toSorted()).toEqual(['certificate.pem', 'fingerprint', 'key.pem']),
  );
  await agent.stop();
  scene.run();
  await vi.waitFor(() => expect(shown()).toHaveLength(3));
  expect(shown()[2]).toBe(second);
});

test('a refused announcement changes nothing, and the next attempt announces the same certificate', async () => {
  const announced = openWindow();
  const accept = scene.hub.answers['devices_SetDeviceProperty'];
  const refused: string[] = [];
  scene.hub.answers['devices_SetDeviceProperty'] = async ({ value }) => {
    refused.push((value as { pem: string }).pem);
    return { result: 'Error', error: { kind: 'Invalid', message: 'Not now.' } } as never;
  };
  const agent = scene.run();
  await agent.says(/the certificate was not replaced: .*Not now/);
  expect(announced).toEqual([]);
  await agent.stop();
  scene.hub.answers['devices_SetDeviceProperty'] = accept!;
  scene.run();
  await vi.waitFor(() => expect(announced).toHaveLength(1));
  expect(announced[0]!.pem).toBe(refused[0]);
});
