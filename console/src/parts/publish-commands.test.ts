import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { curlCommand, publicUrl } from './publish-commands.ts';

const run = promisify(execFile);
/** It answers as the hub does, with a plain name for old programs. */
const server = createServer((_request, response) => {
  const name = `attachment; filename="_.bin"; filename*=UTF-8''%C3%A4.bin`;
  response.writeHead(200, { 'content-disposition': name }).end('x');
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

test.each([
  ['ä.bin', 'ä.bin'],
  ['b.bin', 'b.bin'],
  ['dir/über ß.img', 'über ß.img'],
  ["it's $HOME;`x`.bin", "it's $HOME;`x`.bin"],
  ['-', '-'],
  ['-o', '-o'],
  ['日本語.bin', '日本語.bin'],
  ['a/', 'a'],
  ['gpj.\u202Eexe', 'gpj.exe'],
])('curl saves the file %j as %j', async (filename, saved) => {
  const folder = mkdtempSync(join(tmpdir(), 'corral-curl-'));
  try {
    const command = curlCommand(publicUrl(origin, ['firmware', 'press', 'stable', filename]), filename);
    await run('sh', ['-c', command], { cwd: folder });
    expect(readdirSync(folder)).toEqual([saved]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
