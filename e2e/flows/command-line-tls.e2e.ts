import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, expect } from '@playwright/test';
import { connectProxy } from '../../agent/test/connect-proxy.ts';
import { cliLauncher } from '../fixtures/command-line.ts';
import { newDataDir, removeDataDir, startHubProcess, type HubProcess } from '../fixtures/hub-process.ts';
import { runProgram } from '../fixtures/program.ts';

const tool = fileURLToPath(new URL('../../tools/dev-certificate.ts', import.meta.url));

interface Parts {
  /** The authority that vouches for the hub. */
  readonly authority: string;
  /** A hub that speaks TLS, at every address of this machine. */
  readonly hub: HubProcess;
}

const test = base.extend<Parts>({
  authority: async ({}, use) => {
    const folder = await newDataDir();
    const { code } = await runProgram(process.execPath, [tool, join(folder, 'tls')]);
    expect(code).toBe(0);
    await use(join(folder, 'tls', 'ca.pem'));
    await removeDataDir(folder);
  },
  hub: async ({ authority }, use) => {
    const dataDir = await newDataDir();
    const hub = await startHubProcess(dataDir, {
      CORRAL_HOST: '0.0.0.0',
      CORRAL_PUBLIC_URL: 'https://localhost:0',
      CORRAL_TLS_CERT: join(authority, '..', 'hub-certificate.pem'),
      CORRAL_TLS_KEY: join(authority, '..', 'hub-key.pem'),
    });
    await use(hub);
    expect(await hub.stop()).toBe(0);
    await removeDataDir(dataDir);
  },
});

const token = `u_sk_${'z'.repeat(66)}`;

test('over TLS the hub must be vouched for, by the name that is used; else no token is sent', async ({
  hub,
  authority,
}) => {
  const { port } = new URL(hub.url);
  const login = async (host: string, env: Record<string, string>) => {
    const url = `https://${host}:${port}`;
    const { code, stderr } = await runProgram(process.execPath, [cliLauncher, 'login'], {
      env: { CORRAL_URL: url, CORRAL_TOKEN: token, HOME: '/nonexistent', ...env },
    });
    return { code, said: stderr.replace(`The hub at ${url} cannot be reached: `, '').trim() };
  };
  expect(await login('localhost', {})).toEqual({
    code: 1,
    said: 'its certificate is signed by nobody whom this machine trusts.',
  });
  // What the hub itself answers: the token, well-formed, is nobody's.
  const answered = { code: 3, said: expect.stringMatching(/^Forbidden: /) };
  expect(await login('localhost', { SSL_CERT_FILE: authority })).toEqual(answered);
  expect(await login('127.0.0.1', { NODE_EXTRA_CA_CERTS: authority })).toEqual(answered);
  expect(await login('127.0.0.2', { SSL_CERT_FILE: authority })).toEqual({
    code: 1,
    said: 'its certificate is for another name.',
  });
  expect(await login('localhost', { SSL_CERT_FILE: '/nonexistent.pem' })).toEqual({
    code: 1,
    said: 'SSL_CERT_FILE: the file /nonexistent.pem cannot be read.',
  });
  const plain = await runProgram(process.execPath, [cliLauncher, 'login'], {
    env: { CORRAL_URL: `http://127.0.0.1:${port}`, CORRAL_TOKEN: token, HOME: '/nonexistent' },
  });
  expect(plain.code).toBe(1);
});

test('calls go through the proxy that the environment names, and past it where it says so', async ({
  hub,
  authority,
}) => {
  await using proxy = await connectProxy();
  const { port } = new URL(hub.url);
  const run = (env: Record<string, string>, ...args: string[]) =>
    runProgram(process.execPath, [cliLauncher, ...args], {
      env: {
        CORRAL_URL: `https://localhost:${port}`,
        CORRAL_TOKEN: token,
        HOME: '/nonexistent',
        SSL_CERT_FILE: authority,
        HTTPS_PROXY: proxy.url,
        ...env,
      },
    });
  const refused = { code: 3, stderr: expect.stringMatching(/^Forbidden: /) };
  expect(await run({}, 'login')).toMatchObject(refused);
  expect(proxy.asked).toEqual([`localhost:${port} Basic ${btoa('device:secret')}`]);
  expect(await run({ NO_PROXY: 'localhost' }, 'login')).toMatchObject(refused);
  expect(proxy.asked).toHaveLength(1);
});
