import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgentProcess } from '../test/agent-process.ts';
import { deviceId, HubPeer, ok, token } from '../test/hub-peer.ts';

let hub: HubPeer;
let state: string;

beforeEach(async () => {
  hub = await HubPeer.start();
  state = await mkdtemp(join(tmpdir(), 'corral-agent-'));
});

afterEach(async () => {
  await hub.stop();
  await rm(state, { recursive: true, force: true });
});

/** Runs a command to its end. */
async function command(...args: string[]) {
  const agent = new AgentProcess(['--hub-url', hub.url, '--state', state, ...args], {
    CORRAL_AGENT_TOKEN: token,
  });
  const code = await agent.ended;
  return { code, stdout: agent.stdout, stderr: agent.stderr };
}

const done = { code: 0, stdout: '', stderr: '' };

test('device id prints the id from the hub, over an unregistered connection', async () => {
  expect(await command('device', 'id')).toEqual({ ...done, stdout: `${deviceId}\n` });
  expect(hub.upgrades.map((headers) => headers['x-register-connection'])).toEqual(['false']);
});

test('the version needs no hub', async () => {
  const { code, stdout } = await command('--version');
  expect([code, hub.upgrades]).toEqual([0, []]);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('metadata and properties are written as JSON', async () => {
  expect(await command('device', 'metadata', 'set', '\uFEFF{"site": "quay"}')).toEqual(done);
  expect(await command('device', 'properties', 'set', 'limit', '[1, null]')).toEqual(done);
  expect(hub.inputsOf('devices_SetDeviceMetadata')).toEqual([{ deviceId, metadata: { site: 'quay' } }]);
  expect(hub.inputsOf('devices_SetDeviceProperty')).toEqual([{ deviceId, name: 'limit', value: [1, null] }]);
});

test('a property is printed as JSON; a missing one is an error', async () => {
  hub.answers['devices_GetDeviceProperty'] = ok({ result: 'Found', name: 'limit', value: { a: 1 } });
  expect(JSON.parse((await command('device', 'properties', 'get', 'limit')).stdout)).toEqual({ a: 1 });
  hub.answers['devices_GetDeviceProperty'] = ok({ result: 'NotFound' });
  expect(await command('device', 'properties', 'get', 'limit')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'This device has no property "limit".\n',
  });
});

test('an event is reported with all its fields', async () => {
  const words = [
    '--severity',
    'error',
    '--category',
    'door',
    '--attribute',
    'n=2',
    '--attribute',
    'who="x=y"',
  ];
  const { code, stdout } = await command('events', 'emit', ...words, 'Door opened');
  expect(code).toBe(0);
  expect(hub.inputsOf('devices_PublishDeviceEvents')).toEqual([
    {
      deviceId,
      events: [
        {
          eventId: stdout.trim(),
          severity: 'Error',
          category: 'door',
          body: 'Door opened',
          attributes: { n: 2, who: 'x=y' },
          emittedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
      ],
    },
  ]);
  expect(stdout).toMatch(/^d_ev_\d{8}-\d{4}-[1-9A-HJ-NP-Za-km-z]{8}\n$/);
});

test('tokens and addresses are printed as received from the hub', async () => {
  hub.answers['devices_IssueDeviceToken'] = ok({ jwt: 'a.b.c' });
  hub.answers['repositories_ResolvePackageVersionAssetByPath'] = ok({ result: 'Found', assetId: 'repo_a_x' });
  hub.answers['repositories_IssueAssetDownloadUrl'] = ok({ url: 'https://hub.example/a' });
  expect(
    (await command('device', 'tokens', 'issue', '--valid-for', '60', '--claims', '{"a":1}')).stdout,
  ).toBe('a.b.c\n');
  expect(hub.inputsOf('devices_IssueDeviceToken')).toEqual([
    { deviceId, validForSecs: 60, claims: { a: 1 } },
  ]);
  expect((await command('repositories', 'issue-url', 'r/p/1.0/dir/file.bin')).stdout).toBe(
    'https://hub.example/a\n',
  );
  expect(hub.inputsOf('repositories_ResolvePackageVersionAssetByPath')).toEqual([
    { repository: 'r', package: 'p', tag: '1.0', filename: 'dir/file.bin' },
  ]);
});

test('the address of an asset is also issued by the id of a version', async () => {
  const versionId = `pkg_v_${'1'.repeat(22)}`;
  const assetId = `repo_asset_${'1'.repeat(22)}`;
  hub.answers['repositories_GetPackageVersionDetails'] = ok({ assets: [{ filename: 'file.bin', assetId }] });
  hub.answers['repositories_IssueAssetDownloadUrl'] = ok({ url: 'https://hub.example/a' });
  expect((await command('repositories', 'issue-url', `r/p/${versionId}/file.bin`)).stdout).toBe(
    'https://hub.example/a\n',
  );
  expect(hub.inputsOf('repositories_GetPackageVersionDetails')).toEqual([{ versionId }]);
  expect(hub.inputsOf('repositories_IssueAssetDownloadUrl')).toEqual([{ assetId }]);
  expect((await command('repositories', 'issue-url', `r/p/${versionId}/other.bin`)).stderr).toContain(
    'There is no asset',
  );
});

test('a property is printed with its version where it is asked for', async () => {
  const property = { name: 'a', value: 1, protected: false, version: 3, lastUpdated: '2026-11-29T00:00:00Z' };
  hub.answers['devices_GetDeviceProperty'] = ok({ result: 'Found', ...property });
  expect(JSON.parse((await command('device', 'properties', 'get', 'a', '--details')).stdout)).toEqual(
    property,
  );
  expect((await command('device', 'properties', 'get', 'a')).stdout).toBe('1\n');
});

test("the hub's error is one line with its kind", async () => {
  hub.answers['devices_IssueDeviceToken'] = {
    result: 'Error',
    error: { kind: 'Invalid', message: 'Not available yet.' },
  };
  const refused = { code: 1, stdout: '', stderr: 'Invalid: Not available yet.\n' };
  expect(await command('device', 'tokens', 'issue')).toEqual(refused);
});

test('a command fails when the hub does not identify it as a device', async () => {
  hub.answers['actor_GetActor'] = ok({ actor: { actor: 'Anonymous', kind: 'Anonymous' } });
  expect(await command('device', 'id')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The hub does not take this program for a device.\n',
  });
});

test('a refusal and an unreachable hub are one sentence each', async () => {
  hub.refusal = { status: 401, message: 'The deployment token is not known.' };
  expect(await command('device', 'id')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The deployment token is not known.\n',
  });
  const { url } = hub;
  await hub.stop();
  expect(await command('device', 'id')).toMatchObject({
    code: 1,
    stderr: `The hub at ${url} cannot be reached: nothing listens there.\n`,
  });
  hub = await HubPeer.start();
});

test.each([
  [['device', 'metadata', 'set', '[1]'], 'The metadata must be a JSON object'],
  [['device', 'properties', 'set', 'a', 'on'], 'The value must be JSON'],
  [['events', 'emit', '--severity', 'bad', 'x'], '--severity must be one of Trace, Debug, Info'],
  [['events', 'emit', '--attribute', 'x', 'x'], '--attribute must be NAME=JSON'],
  [['device', 'tokens', 'issue', '--valid-for', '-1'], '--valid-for must be a whole number'],
  [['device', 'tokens', 'issue', '--claims', '{'], '--claims must be JSON'],
  [['repositories', 'issue-url', 'r/p/1'], 'An asset is named by repository/package/tag/filename'],
  [['--token', 'deployment_short', 'device', 'id'], 'token must be a deployment token'],
  [['--config', '/nonexistent/agent.toml', 'device', 'id'], 'cannot be read'],
])('%j is refused in a sentence, without a word to the hub', async (args, sentence) => {
  const { code, stdout, stderr } = await command(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(sentence);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr).not.toContain('deployment_short');
  expect(hub.upgrades).toEqual([]);
});

test('the fingerprint of the certificate needs no hub or token and does not change', async () => {
  const shown = async (): Promise<string> => {
    const agent = new AgentProcess(['certificate', 'fingerprint', '--state', state]);
    expect(await agent.ended).toBe(0);
    return agent.stdout;
  };
  const first = await shown();
  const der = execFileSync(process.execPath, [
    '-e',
    "const c=require('crypto');process.stdout.write(new c.X509Certificate(require('fs').readFileSync(process.argv[1])).fingerprint256)",
    join(state, 'certificate.pem'),
  ]);
  expect(first).toBe(`${der.toString()}\n`);
  expect(await shown()).toBe(first);
});

test('a name below localhost leads to this machine, whatever the resolver knows', async () => {
  const hubUrl = hub.url.replace('127.0.0.1', 'hub.localhost');
  expect(await command('--hub-url', hubUrl, 'device', 'id')).toEqual({
    code: 0,
    stdout: `${deviceId}\n`,
    stderr: '',
  });
});

test.each([
  ['run', '--allow-plain-http'],
  ['repositories', 'pull', '--log-format <format>'],
])('%s … --help lists the options of the configuration', async (...words) => {
  const option = words.pop();
  expect(await command(...words, '--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${option}`),
  });
});

test.each([
  [
    '#!/bin/sh\n',
    0o644,
    /cannot be run by the user \S+: make it executable with chmod \+x .*fingerprint\.sh/,
  ],
  ['#!/nonexistent\n', 0o755, /cannot be run: the program that its first line names is not there\./],
  ['#!/bin/sh\nexit 3\n', 0o755, /failed with exit code 3; run it by hand to see why\./],
  [undefined, 0, /fingerprint\.sh is not there: give the path of a program/],
])('a fingerprint script that is %j with mode %o says what to do', async (text, mode, sentence) => {
  if (text !== undefined) await writeFile(join(state, 'fingerprint.sh'), text, { mode });
  await writeFile(join(state, 'agent.toml'), 'fingerprint-script = "fingerprint.sh"\n');
  const { code, stderr } = await command('--config', join(state, 'agent.toml'), 'device', 'id');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(sentence) });
  expect(stderr).toMatch(/^fingerprint-script: .*\.\n$/);
});

test('the fingerprint script determines the identity of the device', async () => {
  const script = join(state, 'fingerprint.sh');
  await writeFile(script, '#!/bin/sh\necho machine-1\n', { mode: 0o755 });
  await writeFile(join(state, 'agent.toml'), 'fingerprint-script = "fingerprint.sh"\n');
  expect(await command('--config', join(state, 'agent.toml'), 'device', 'id')).toMatchObject({ code: 0 });
  expect(hub.upgrades[0]?.['x-device-fingerprint']).toBe('d_sk_1gA6fYZyEEUP2j5ANfZZad6V78tidgSZv71s9yYuDzaF');
});

test('an output that cannot be written is an error', async () => {
  const readOnly = openSync('/dev/null', 'r');
  const args = ['--hub-url', hub.url, '--state', state, 'device', 'id'];
  const agent = new AgentProcess(args, { CORRAL_AGENT_TOKEN: token }, readOnly);
  closeSync(readOnly);
  const code = await agent.ended;
  expect([code, agent.stderr]).toEqual([
    1,
    expect.stringMatching(/^The output cannot be written: EBADF.*\n$/),
  ]);
});
