import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpHub, type HttpHub } from '../../test/http-hub.ts';

let hub: HttpHub;

beforeAll(async () => {
  hub = await httpHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

const download = (headers: Record<string, string> = {}) =>
  fetch(`${hub.url}/download/corral-agent.mjs`, { headers });

test('without a built agent the download says how to build one', async () => {
  const answer = await download();
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('npm start');
});

test('devices download the agent that was built last, once', async () => {
  await writeFile(join(hub.folder, 'corral-agent.mjs'), 'first();');
  const first = await download();
  expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await first.text()).toBe('first();');
  const tag = first.headers.get('etag') ?? '';
  expect((await download({ 'if-none-match': tag })).status).toBe(304);
  await writeFile(join(hub.folder, 'corral-agent.mjs'), 'second();');
  expect(await (await download({ 'if-none-match': tag })).text()).toBe('second();');
});
