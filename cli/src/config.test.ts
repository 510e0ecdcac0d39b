import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localFile, saveConfigFile, userFile, type ConfigPlace } from './config-file.ts';
import { checkHubUrl, checkToken, loadConfig } from './config.ts';

const token = (symbol: string): string => `u_sk_${symbol.repeat(66)}`;
const [envToken, localToken, userToken] = [token('1'), token('2'), token('3')];
const hub = 'https://hub.example';
let folder: string;

beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'corral-cli-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const place = (env: Record<string, string> = {}): ConfigPlace => ({
  env,
  cwd: join(folder, 'work'),
  home: join(folder, 'home'),
});

async function files(texts: { local?: string; user?: string }): Promise<void> {
  for (const [path, text] of [
    [localFile(place()), texts.local],
    [userFile(place()), texts.user],
  ] as const) {
    if (text === undefined) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

const text = (hubUrl: string, secret?: string): string =>
  `hub-url = "${hubUrl}"\n${secret === undefined ? '' : `token = "${secret}"\n`}`;

describe('precedence', () => {
  test('the environment, then the file in the working folder, then the file of the user', async () => {
    await files({
      local: text('https://local.example', localToken),
      user: text('https://user.example/', userToken),
    });
    expect(loadConfig(place())).toMatchObject({ hubUrl: 'https://local.example', token: localToken });
    const env = { CORRAL_URL: `${hub}/`, CORRAL_TOKEN: envToken };
    expect(loadConfig(place(env))).toEqual({ hubUrl: hub, token: envToken, tokenSource: 'CORRAL_TOKEN' });
    await rm(localFile(place()));
    expect(loadConfig(place())).toEqual({
      hubUrl: 'https://user.example',
      token: userToken,
      tokenSource: join(folder, 'home', '.config', 'corral', 'cli.toml'),
    });
  });

  test('a token in a file is sent only to the hub in the same file', async () => {
    await files({ local: text('https://stranger.example'), user: text(hub, userToken) });
    expect(() => loadConfig(place())).toThrow('There is no token for https://stranger.example');
    expect(() => loadConfig(place({ CORRAL_URL: 'https://other.example' }))).toThrow('There is no token for');
    await files({ local: text(`${hub}/`) });
    expect(loadConfig(place())).toMatchObject({ hubUrl: hub, token: userToken });
  });

  test('an absolute XDG_CONFIG_HOME holds the file of the user', () => {
    expect(userFile(place({ XDG_CONFIG_HOME: '/etc/xdg' }))).toBe('/etc/xdg/corral/cli.toml');
    expect(userFile(place({ XDG_CONFIG_HOME: 'here' }))).toBe(join(folder, 'home/.config/corral/cli.toml'));
  });

  test('without configuration the error says what to do', () => {
    expect(() => loadConfig(place())).toThrow(/^No hub is configured: run `corral login --url`/);
  });
});

describe('a configuration file', () => {
  test('is read back after saving, and only its owner can read it', async () => {
    const path = userFile(place());
    await saveConfigFile(path, { hubUrl: hub, token: userToken, isPlainAllowed: false });
    await saveConfigFile(path, { hubUrl: hub, token: localToken, isPlainAllowed: false });
    expect(loadConfig(place())).toMatchObject({ hubUrl: hub, token: localToken });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  });

  test.each([
    ['nonsense u_sk_1', /is not valid TOML \(line 1\)\.$/],
    ['hub-url = 8', /^hub-url in .* must be a string\.$/],
    [text('http://hub.example', token('4')), /is plain HTTP/],
    [text(hub, 'deployment_secretword'), /^The token must be a user token: u_sk_ and 66 symbols\.$/],
  ])('%j is refused with a sentence that repeats no token', async (local, sentence) => {
    await files({ local });
    expect(() => loadConfig(place())).toThrow(sentence);
    expect(() => loadConfig(place())).not.toThrow(/secretword|u_sk_1|4444/);
  });

  test('may allow plain HTTP', async () => {
    await files({ local: `${text('http://hub.example', localToken)}allow-plain-http = true\n` });
    expect(loadConfig(place()).hubUrl).toBe('http://hub.example');
  });
});

test.each([
  'http://127.0.0.1:8080',
  'http://localhost',
  'http://[::1]:80/',
  'http://hub.localhost',
  'https://hub.example/',
])('%s is taken as it is', (url) => expect(checkHubUrl(url)).toBe(new URL(url).href.replace(/\/$/, '')));

test.each(['hub.example', 'ftp://hub', 'https://a:b@hub', 'https://hub/?x', 'http://127.0.0.1.evil.example'])(
  '%s is refused',
  (url) => expect(() => checkHubUrl(url)).toThrow(/^The address of the hub /),
);

const marks = ['\r', '\r\n', '\t', ' ', '\u00a0', '\ufeff', '\u200b', '\u2003\t '];

test.each(marks)('%j at the ends of an address or a token is not part of it', async (mark) => {
  const around = (value: string): string => `${mark}${value}${mark}`;
  const env = { CORRAL_URL: around(`${hub}/`), CORRAL_TOKEN: around(envToken) };
  expect(loadConfig(place(env))).toMatchObject({ hubUrl: hub, token: envToken });
  const [url, secret] = [around(hub), around(localToken)].map((value) => JSON.stringify(value));
  await files({ local: `\ufeffhub-url = ${url}\r\ntoken = ${secret}\r\n` });
  expect(loadConfig(place({ CORRAL_TOKEN: mark }))).toMatchObject({ hubUrl: hub, token: localToken });
  expect(loadConfig(place({ CORRAL_URL: hub }))).toMatchObject({ hubUrl: hub, token: localToken });
});

test('an address with a path says what to give instead', () => {
  expect(() => checkHubUrl('https://hub.example:8443/projects/p_1')).toThrow(
    'The address of the hub must end with the name of the hub: https://hub.example:8443 instead of https://hub.example:8443/projects/p_1.',
  );
});

test('a well-formed token is accepted', () => expect(checkToken(envToken)).toBe(envToken));
