import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { token } from '../test/hub-peer.ts';
import { loadHubConfig, loadIdentityConfig, loadTerminalConfig } from './config.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corral-agent-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function file(text: string): { config: string } {
  const config = join(folder, 'agent.toml');
  writeFileSync(config, text);
  return { config };
}

const other = `deployment_${'u'.repeat(66)}`;

test('the command line overrides the environment, which overrides the file', () => {
  const named = file(`hub-url = "https://file.example/"\ntoken = "${token}"\n`);
  expect(loadHubConfig(named, {})).toEqual({ hubUrl: 'https://file.example', token });
  const env = { CORRAL_AGENT_HUB_URL: 'https://env.example', CORRAL_AGENT_TOKEN: other };
  expect(loadHubConfig(named, env)).toEqual({ hubUrl: 'https://env.example', token: other });
  const options = { ...named, hubUrl: 'https://line.example', token };
  expect(loadHubConfig(options, env)).toEqual({ hubUrl: 'https://line.example', token });
  expect(loadHubConfig(named, { CORRAL_AGENT_HUB_URL: '' }).hubUrl).toBe('https://file.example');
});

test('paths of the file are relative to it', () => {
  const named = file(
    'ssl-cert = "c.pem"\nssl-key = "/k.pem"\nfingerprint-script = "./f.sh"\ndata-path = "d"\n',
  );
  expect(loadIdentityConfig(named, {})).toEqual({
    certificateFile: join(folder, 'c.pem'),
    keyFile: '/k.pem',
    fingerprintScript: join(folder, 'f.sh'),
    stateDir: join(folder, 'd'),
  });
  expect(loadIdentityConfig({ state: '/s' }, {}).keyFile).toBe('/s/key.pem');
});

const marks = ['\r', '\r\n', '\t', ' ', '\u00a0', '\ufeff', '\u200b', '\u2003\t '];

test.each(marks)('%j at the ends of an address or a token is not part of it', (mark) => {
  const around = (text: string): string => `${mark}${text}${mark}`;
  const given = { hubUrl: around('https://hub.example/'), token: around(token) };
  const wanted = { hubUrl: 'https://hub.example', token };
  expect(loadHubConfig(given, {})).toEqual(wanted);
  const env = { CORRAL_AGENT_HUB_URL: given.hubUrl, CORRAL_AGENT_TOKEN: given.token };
  expect(loadHubConfig({}, env)).toEqual(wanted);
  const text = `\ufeffhub-url = ${JSON.stringify(given.hubUrl)}\r\ntoken = ${JSON.stringify(given.token)}\r\n`;
  expect(loadHubConfig(file(text), { CORRAL_AGENT_TOKEN: mark })).toEqual(wanted);
});

test.each([
  ['', 'hub-url is missing'],
  ['hub-url = "hub.example"', 'hub-url must be an http or https address'],
  ['hub-url = "ftp://hub.example"', 'hub-url must be an http or https address'],
  ['hub-url = "https://a:b@hub.example"', 'hub-url must hold neither a user name'],
  [
    'hub-url = "https://hub.example/projects/p_1"',
    'hub-url must end with the name of the hub: https://hub.example instead of https://hub.example/projects/p_1.',
  ],
  ['hub-url = "https://hub.example/corral/"', 'hub-url must end with the name of the hub'],
  ['hub-url = 8', 'hub-url in .*agent.toml must be a string'],
  ['hub-url = "http://hub.example"', 'hub-url is plain HTTP'],
  ['hub-url = "http://127.0.0.1.evil.example"', 'hub-url is plain HTTP'],
  ['hub-url = "http://localhost.evil.example"', 'hub-url is plain HTTP'],
  [
    'hub-url = "https://hub.example"\ndangerous-disable-tls = "yes"',
    'dangerous-disable-tls in .* true or false',
  ],
  ['hub-url = "https://hub.example"', 'token is missing'],
  ['hub-url = "https://hub.example"\ntoken = "deployment_secretword"', 'token must be a deployment token'],
  ['token = deployment_secretword', 'is not valid TOML \\(line 1\\)'],
])('%j is answered with one sentence that repeats no token', (text, sentence) => {
  const load = () => loadHubConfig(file(text), {});
  expect(load).toThrow(new RegExp(sentence));
  expect(load).not.toThrow(/secretword|a:b/);
});

test.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080', 'http://hub.localhost'])(
  'plain HTTP stays within the machine at %s, or must be asked for',
  (hubUrl) => {
    expect(loadHubConfig({ hubUrl, token }, {}).hubUrl).toBe(hubUrl);
    const far = { hubUrl: 'http://hub.example', token };
    expect(loadHubConfig({ ...far, allowPlainHttp: true }, {}).hubUrl).toBe('http://hub.example');
    const allowed = file('dangerous-disable-tls = true\n');
    expect(loadHubConfig({ ...far, ...allowed }, {}).hubUrl).toBe('http://hub.example');
  },
);

test('nobody has a terminal by default, and then the user of the agent, whose name the file may change', () => {
  const own = userInfo().username;
  expect(loadTerminalConfig(file('')).users).toEqual([]);
  expect(loadTerminalConfig(file('[terminal]\nenabled = true')).users).toEqual([own]);
  expect(loadTerminalConfig(file('[terminal]\nenabled = true\nshell = "/bin/ash"')).shell).toBe('/bin/ash');
  const two = (rest: string) =>
    file(`[terminal]\nenabled = true\nallowed-users = ["operator", "${own}"]\n${rest}`);
  const mayBeOthers = process.getuid?.() === 0;
  if (mayBeOthers) {
    expect(loadTerminalConfig(two('')).users).toEqual([own, 'operator']);
    expect(loadTerminalConfig(two('user = "operator"')).users).toEqual(['operator', own]);
    const alone = file('[terminal]\nenabled = true\nallowed-users = ["operator"]');
    expect(loadTerminalConfig(alone).users).toEqual(['operator']);
  } else
    expect(() => loadTerminalConfig(two(''))).toThrow(
      'Only an agent that runs as root can open terminals of other users: operator.',
    );
  expect(() => loadTerminalConfig(two('user = "mallory"'))).toThrow(
    'terminal.user "mallory" must be one of terminal.allowed-users.',
  );
  const wrong = file('[terminal]\nallowed-users = "root"');
  expect(() => loadTerminalConfig(wrong)).toThrow(/terminal.allowed-users in .* must be a list of strings/);
});

test('a user without a name, as in a container, may run the agent', (context) => {
  if (process.getuid?.() !== 0) context.skip('Only root can become another user.');
  const code = `const { loadTerminalConfig } = await import('${join(import.meta.dirname, 'config.ts')}');
    process.stdout.write(JSON.stringify(loadTerminalConfig({ config: '${file('').config}' }).users));`;
  const args = ['--input-type=module', '--eval', code];
  chmodSync(folder, 0o755);
  const { stdout, stderr } = spawnSync(process.execPath, args, { uid: 54_321, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['[]', '']);
});
