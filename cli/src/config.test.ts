import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkConfig, loadConfig, localFile, saveConfig } from './config.ts';

const token = `u_sk_${'1'.repeat(66)}`;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corral-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('what was saved is read again, and only its owner can read it', async () => {
  const path = join(folder, localFile);
  await saveConfig(path, { hubUrl: 'https://hub.example', token });
  expect(loadConfig({}, folder)).toEqual({ hubUrl: 'https://hub.example', token });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('the environment goes before the file', async () => {
  await saveConfig(join(folder, localFile), { hubUrl: 'https://hub.example', token });
  expect(loadConfig({ CORRAL_HUB_URL: 'https://other.example/' }, folder).hubUrl).toBe(
    'https://other.example',
  );
});

test('a file that is no TOML is named', async () => {
  await writeFile(join(folder, localFile), 'nonsense');
  expect(() => loadConfig({}, folder)).toThrow(/\.corral-cli\.toml cannot be read as TOML\.$/);
});

test.each([
  ['ftp://hub', token, 'hub-url must be an http or https address.'],
  ['https://hub', 'deployment_x', 'token must be a user token: u_sk_ and 66 symbols.'],
  [undefined, token, /^No hub is configured/],
])('%s with %s is refused with a sentence', (hubUrl, given, sentence) => {
  expect(() => checkConfig(hubUrl, given)).toThrow(sentence);
});
