import { expect, test, vi } from 'vitest';
import { createVersionWatch } from './hub-version.ts';
import { hubOverHttp } from './hub.ts';

test('another version of the hub is told once', () => {
  const tell = vi.fn();
  const hear = createVersionWatch(tell);
  hear('1.0.0');
  hear('1.0.0');
  expect(tell).not.toHaveBeenCalled();
  hear('1.1.0');
  hear('1.2.0');
  expect(tell).toHaveBeenCalledOnce();
});

test('the version is heard with every answer of the hub, also one that refuses', async () => {
  const versions: string[] = [];
  const answers = [
    new Response('{"scripts":[]}', { headers: { 'x-corral-version': '1.0.0' } }),
    new Response('{}', { status: 500, headers: { 'x-corral-version': '1.1.0' } }),
    new Response('{"scripts":[]}'),
  ];
  vi.stubGlobal('fetch', async () => answers.shift());
  const hub = hubOverHttp((version) => versions.push(version));
  await hub.readConfig();
  await expect(hub.readConfig()).rejects.toThrow();
  await hub.readConfig();
  expect(versions).toEqual(['1.0.0', '1.1.0']);
  vi.unstubAllGlobals();
});
