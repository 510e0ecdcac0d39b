import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listedLibraries } from '../licence-notices.ts';
import { repositoryRoot } from '../source-files.ts';
import { makeApp } from './make-app.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'corral-app-'));
  // PostgreSQL runs as another user where tests run as root.
  chmodSync(folder, 0o755);
  await makeApp(join(folder, 'app'), '7.8.9');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const filesOf = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();

const digestsOf = (root: string): string[] =>
  filesOf(root).map(
    (path) =>
      `${createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex')} ${path}`,
  );

test('it has the same bytes in another folder, and no path of where it was made', async () => {
  const other = join(folder, 'elsewhere/again');
  await makeApp(other, '7.8.9');
  expect(digestsOf(other)).toEqual(digestsOf(join(folder, 'app')));
  const telling = filesOf(other).filter((path) => readFileSync(join(other, path)).includes(repositoryRoot));
  expect(telling).toEqual([]);
  expect(filesOf(other).filter((path) => /\.tsx?$|\.map$|\.env$|(?:^|\/)\.|test\./.test(path))).toEqual([]);
}, 120_000);

test('it names the libraries of the hub with their licences', () => {
  const libraries = listedLibraries(readFileSync(join(folder, 'app/hub/licences.txt'), 'utf8'));
  expect(libraries.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['fastify', 'kysely', 'pg', 'zod']),
  );
  expect(libraries.find(({ name }) => name === 'fastify')).toMatchObject({ licence: 'MIT' });
});

test('it runs without the repository: database, console, downloads and simulated devices', async () => {
  const app = join(folder, 'app');
  // Machine code comes from npm packages, which are installed beside it.
  const modules = join(app, 'node_modules');
  symlinkSync(join(repositoryRoot, 'node_modules'), modules);
  const hub = spawn(process.execPath, [join(app, 'hub/src/main.js'), '--demo', '1', '--port', '0'], {
    env: { PATH: process.env['PATH'], CORRAL_DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let url = '';
    for await (const line of createInterface({ input: hub.stdout })) {
      url ||= /Corral is ready: (\S+)/.exec(line)?.[1] ?? '';
      if (url !== '' && /"msg":"connected"/.test(line)) break;
    }
    expect(readFileSync(join(folder, 'data/oldest-release'), 'utf8')).toMatch(/^\d+\.\d+\.\d+\n$/);
    const read = async (path: string): Promise<Response> =>
      fetch(`${url}${path}`, { headers: { accept: 'text/html' } });
    const page = await read('/login');
    expect(page.headers.get('x-corral-version')).toBe('7.8.9');
    expect(await page.text()).toContain('<title>');
    for (const path of [
      '/download/corral-agent.mjs',
      '/download/corral.mjs',
      '/pair.sh',
      '/api/openapi.json',
    ])
      expect((await read(path)).status, path).toBe(200);
  } finally {
    const ended = once(hub, 'exit');
    hub.kill('SIGTERM');
    await ended;
    rmSync(modules);
  }
}, 120_000);
