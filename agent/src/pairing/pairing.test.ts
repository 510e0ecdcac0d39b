import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AgentProcess } from '../../test/agent-process.ts';
import { hubCertificate } from '../../test/hub-certificate.ts';
import { token } from '../../test/hub-peer.ts';
import { readPairingValue } from './pairing-value.ts';

const key = '7K2M9Q-X4TB';
const refusal = {
  kind: 'Invalid',
  message: 'The pairing key is not valid: it was mistyped, was used, or has ended.',
};

/** A hub that redeems one key. */
let hub: Server;
let host: string;
let redeemed: unknown[];
/** Holds answers back until it is fulfilled. */
let held: Promise<void>;
let state: string;
let config: string;
let agents: AgentProcess[];

beforeEach(async () => {
  redeemed = [];
  held = Promise.resolve();
  agents = [];
  hub = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(404).end();
    const input = (await readJson(request)) as { pairingKey: string };
    redeemed.push({ url: request.url, authorization: request.headers.authorization, input });
    await held;
    const isRight = input.pairingKey === key;
    response.writeHead(isRight ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isRight ? { projectId: 'p', deviceId: 'd', tokenId: 't', token } : refusal));
  }).listen(0, '127.0.0.1');
  await once(hub, 'listening');
  host = `127.0.0.1:${(hub.address() as AddressInfo).port}`;
  state = await mkdtemp(join(tmpdir(), 'corral-agent-'));
  config = join(state, 'agent.toml');
});
afterEach(async () => {
  for (const agent of agents) await agent.stop('SIGKILL');
  hub.closeAllConnections();
  hub.close();
  await rm(state, { recursive: true, force: true });
});

function start(...args: string[]): AgentProcess {
  const agent = new AgentProcess(['--config', config, '--state', state, '--log-format', 'json', ...args]);
  agents.push(agent);
  return agent;
}

async function command(...args: string[]) {
  const agent = start(...args);
  const code = await agent.ended;
  return { code, stdout: agent.stdout, stderr: agent.stderr };
}

const stored = async () => JSON.parse(await readFile(join(state, 'pairing.json'), 'utf8')) as unknown;

describe('corral-agent pair', () => {
  beforeEach(() => writeFile(config, ''));

  test('redeems a key at the hub before the comma, and keeps the token for itself', async () => {
    const outcome = await command('pair', `${host},${key.toLowerCase().replace('-', '')}`);
    expect(outcome).toMatchObject({
      code: 0,
      stdout: `Paired with http://${host}. Start the agent, or start it again: corral-agent run\n`,
    });
    expect(redeemed).toEqual([
      {
        url: '/api/v1/actions/invoke/projects_RedeemDevicePairingKey',
        authorization: undefined,
        input: { pairingKey: key, fingerprint: expect.stringMatching(/^d_sk_\w{44}$/) },
      },
    ]);
    expect(await stored()).toEqual({ hubUrl: `http://${host}`, deploymentToken: token });
    expect((await stat(join(state, 'pairing.json'))).mode & 0o777).toBe(0o600);
  });

  test('takes the hub and the name of the device from the configuration', async () => {
    await writeFile(config, `hub-url = "http://${host}"\n[provisioning]\ndevice-name = "Pump 1"\n`);
    expect((await command('pair', key)).code).toBe(0);
    expect(redeemed).toMatchObject([{ input: { pairingKey: key, deviceName: 'Pump 1' } }]);
  });

  test('shows the sentence of the hub, and leaves an earlier pairing as it is', async () => {
    await command('pair', `${host},${key}`);
    const outcome = await command('pair', `${host},000000-0000`);
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: `${refusal.message}\n` });
    expect(await stored()).toMatchObject({ deploymentToken: token });
  });

  test('says what to give where there is no hub, or no key', async () => {
    expect((await command('pair', key)).stderr).toContain('This agent knows no hub');
    expect((await command('pair', 'hello')).stderr).toContain('Give a pairing key, such as 7K2M9Q-X4TB');
    expect((await command('run')).stderr).toContain('hub-url is missing');
  });
});

describe('an agent that waits to be paired', () => {
  let url: string;
  let agent: AgentProcess;

  beforeEach(async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    await writeFile(config, `[provisioning]\nenabled = true\nbind = "127.0.0.1:${port}"\n`);
    url = `http://127.0.0.1:${port}`;
    agent = start('run');
    await agent.says(/waits to be paired/);
  });

  const give = async (body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}/pair`, { method: 'POST', body, headers });
    return [answer.status, await answer.text()];
  };

  test('says that it is ready, is paired, and goes on with the token it has kept', async () => {
    const ready = await fetch(url);
    expect([ready.status, await ready.text()]).toEqual([200, 'ready\n']);
    expect(await give(`${host},${key}\n`)).toEqual([200, 'paired\n']);
    await agent.says(/corral-agent starts; its certificate is/);
    expect(await stored()).toEqual({ hubUrl: `http://${host}`, deploymentToken: token });
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    await agent.stop();
    const next = start('run');
    await next.says(/corral-agent starts/);
    expect(next.stderr).not.toContain('waits to be paired');
  });

  test('passes on the sentence of the hub about a wrong key, and waits on', async () => {
    expect(await give(`${host},000000-0000`)).toEqual([400, `${refusal.message}\n`]);
    expect(await give(`${host},${key}`)).toEqual([200, 'paired\n']);
  });

  test('takes one key at a time', async () => {
    let release: () => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    const first = give(`${host},${key}`);
    await expect.poll(() => redeemed.length).toBe(1);
    expect((await give(`${host},${key}`))[0]).toBe(409);
    release();
    expect(await first).toEqual([200, 'paired\n']);
  });

  test('takes nothing else: no other form, no long body, no page of a browser, no other path', async () => {
    for (const value of [
      '',
      key,
      'hello',
      `http://${host},${key}`,
      `${host}/x,${key}`,
      `a@${host},${key}`,
      `${host},${key},x`,
    ])
      expect((await give(value))[0]).toBe(400);
    expect((await give('x'.repeat(513)))[0]).toBe(413);
    expect((await give(`${host},${key}`, { origin: 'http://evil.example' }))[0]).toBe(403);
    expect((await fetch(`${url}/pair`)).status).toBe(405);
    expect((await fetch(`${url}/state`)).status).toBe(404);
    expect(redeemed).toEqual([]);
  });

  test('ends when it is stopped', async () => {
    expect(await agent.stop()).toBe(0);
  });
});

test('a hub on this machine may speak TLS, and one whose certificate nobody trusts is not asked without', async () => {
  await writeFile(config, '');
  const made = await hubCertificate();
  let requests = 0;
  const secure = createSecureServer(made, (_request, response) => {
    requests += 1;
    response.end(JSON.stringify({ token }));
  }).listen(0, '127.0.0.1');
  await once(secure, 'listening');
  const url = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
  const value = `${new URL(url).host},${key}`;
  expect(await command('pair', value)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`The hub at ${url} cannot be reached: its certificate is self-signed`),
  });
  expect(requests).toBe(0);
  const authority = join(state, 'ca.pem');
  await writeFile(authority, made.cert);
  const agent = new AgentProcess(['--config', config, '--state', state, 'pair', value], {
    NODE_EXTRA_CA_CERTS: authority,
  });
  expect([await agent.ended, agent.stderr]).toEqual([0, '']);
  expect(await stored()).toMatchObject({ hubUrl: url });
  secure.closeAllConnections();
  secure.close();
});

test('the hub of a name is asked over https, over plain HTTP only on this machine or where that is allowed', () => {
  const urls = (text: string, isPlainAllowed = false, hubUrl?: string) =>
    readPairingValue(text, { hubUrl, isPlainAllowed }).hubUrls;
  expect(urls(`hub.example,${key}`)).toEqual(['https://hub.example']);
  expect(urls(`hub.example:8443,${key}`)).toEqual(['https://hub.example:8443']);
  expect(urls(`localhost:8080,${key}`)).toEqual(['https://localhost:8080', 'http://localhost:8080']);
  expect(urls(`10.0.0.1:8080,${key}`, true)).toEqual(['https://10.0.0.1:8080', 'http://10.0.0.1:8080']);
  expect(urls(`hub.example,${key}`, false, 'https://hub.example')).toEqual(['https://hub.example']);
  expect(urls(key, false, 'https://hub.example')).toEqual(['https://hub.example']);
  expect(() => urls(`other.example,${key}`, false, 'https://hub.example')).toThrow('names another hub');
});
