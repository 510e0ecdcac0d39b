import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpHub, type HttpHub } from '../../../test/http-hub.ts';

let hub: HttpHub;

beforeAll(async () => {
  hub = await httpHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

describe.each([
  ['corral-agent.mjs', 'The agent'],
  ['corral.mjs', 'The command line'],
])('%s', (fileName, name) => {
  const download = (headers: Record<string, string> = {}) =>
    fetch(`${hub.url}/download/${fileName}`, { headers });

  test('that is not built is answered with how to build it', async () => {
    const answer = await download();
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe(`${name} has not been built here. \`npm start\` builds it.\n`);
  });

  test('is the newest build, and is revalidated', async () => {
    await writeFile(join(hub.folder, fileName), 'first();');
    const first = await download();
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await first.text()).toBe('first();');
    const tag = first.headers.get('etag') ?? '';
    expect((await download({ 'if-none-match': tag })).status).toBe(304);
    await writeFile(join(hub.folder, fileName), 'second();');
    expect(await (await download({ 'if-none-match': tag })).text()).toBe('second();');
  });

  test('is compressed for clients that accept it', async () => {
    await writeFile(join(hub.folder, fileName), 'third();');
    const answer = await hub.call(`/download/${fileName}`, { headers: { 'accept-encoding': 'br' } });
    expect(answer.text).toBe('third();');
    const zipped = await download({ 'accept-encoding': 'gzip' });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(await zipped.text()).toBe('third();');
    expect(zipped.headers.get('vary')).toBe('accept-encoding');
  });
});
