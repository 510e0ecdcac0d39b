import { expect, test, vi } from 'vitest';
import { createVersionWatch } from './hub-version.ts';
import { hubOverHttp } from './hub.ts';

test('reports another version of the hub once', () => {
  const onSkew = vi.fn();
  const watch = createVersionWatch(onSkew);
  watch('1.0.0');
  watch('1.0.0');
  expect(onSkew).not.toHaveBeenCalled();
  watch('1.1.0');
  watch('1.2.0');
  expect(onSkew).toHaveBeenCalledOnce();
});

test('reads the version from every answer of the hub, also from errors', async () => {
  const versions: string[] = [];
  const answers = [
    new Response('{"scripts":[]}', { headers: { 'x-corral-version': '1.0.0' } }),
    new Response('{}', { status: 500, headers: { 'x-corral-version': '1.1.0' } }),
    new Response('{"scripts":[]}'),
  ];
  vi.stubGlobal('fetch', async () => answers.shift());
  const hub = hubOverHttp({ onVersion: (version) => versions.push(version), onLiveCursor: () => {} });
  await hub.readConfig();
  await expect(hub.readConfig()).rejects.toThrow();
  await hub.readConfig();
  expect(versions).toEqual(['1.0.0', '1.1.0']);
  vi.unstubAllGlobals();
});
