import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentProcess } from '../../test/agent-process.ts';
import { connectProxy } from '../../test/connect-proxy.ts';
import { foreignCertificate, hubCertificate } from '../../test/hub-certificate.ts';
import { deviceId, HubPeer, token } from '../../test/hub-peer.ts';

let hub: HubPeer;
let folder: string;
let cert: string;

beforeEach(async () => {
  const made = await hubCertificate();
  cert = made.cert;
  hub = await HubPeer.start(made);
  folder = await mkdtemp(join(tmpdir(), 'corral-agent-'));
});

afterEach(async () => {
  await hub.stop();
  await rm(folder, { recursive: true, force: true });
});

async function command(env: Record<string, string>, ...args: string[]) {
  const all = ['--hub-url', hub.url, '--state', folder, ...args];
  const agent = new AgentProcess(all, { CORRAL_AGENT_TOKEN: token, ...env });
  const code = await agent.ended;
  return { code, stdout: agent.stdout, stderr: agent.stderr };
}

test('over TLS the certificate is sent in the handshake and in no header', async () => {
  await writeFile(join(folder, 'ca.pem'), cert);
  const trusting = { SSL_CERT_FILE: join(folder, 'ca.pem') };
  expect(await command(trusting, 'device', 'id')).toEqual({ code: 0, stdout: `${deviceId}\n`, stderr: '' });
  expect(hub.upgrades[0]).not.toHaveProperty('x-client-cert');
  const { stdout } = await command({}, 'certificate', 'fingerprint');
  expect(stdout).toBe(`${hub.clientCertificate}\n`);
});

test('a hub with an untrusted certificate gets no token', async () => {
  expect(await command({}, 'device', 'id')).toEqual({
    code: 1,
    stdout: '',
    stderr: `The hub at ${hub.url} cannot be reached: its certificate is self-signed; if it is the right one, give the file of the certificate that signed it in SSL_CERT_FILE.\n`,
  });
  expect(hub.upgrades).toEqual([]);
});

test('simulated devices trust exactly the certificate that the hub gives them, whoever signed it and whatever its name', async () => {
  const [own, other] = [await foreignCertificate(), await foreignCertificate()];
  const foreign = await HubPeer.start(own);
  const args = ['simulate', '--devices', '1', '--hub-url', foreign.url, '--state', folder];
  const simulate = (trusted: string) =>
    new AgentProcess(args, { CORRAL_AGENT_TOKEN: token, CORRAL_AGENT_HUB_CERTIFICATE: trusted });
  const refused = simulate(other.cert);
  await refused.says(/no simulated device is connected because: /);
  expect(await refused.stop()).toBe(0);
  expect(foreign.upgrades).toEqual([]);
  const fleet = simulate(own.cert);
  await vi.waitFor(() => expect(foreign.connections).toHaveLength(1));
  expect(await fleet.stop()).toBe(0);
  await foreign.stop();
});

test('a missing file of authorities is named', async () => {
  expect(await command({ SSL_CERT_FILE: '/nonexistent.pem' }, 'device', 'id')).toMatchObject({
    code: 1,
    stderr: 'SSL_CERT_FILE: the file /nonexistent.pem cannot be read.\n',
  });
});

test('a proxy in the environment is used, and the certificate still reaches the hub', async () => {
  await using proxy = await connectProxy();
  await writeFile(join(folder, 'ca.pem'), cert);
  const env = { SSL_CERT_FILE: join(folder, 'ca.pem'), HTTPS_PROXY: proxy.url };
  expect(await command(env, 'device', 'id')).toEqual({ code: 0, stdout: `${deviceId}\n`, stderr: '' });
  expect(proxy.requested).toEqual([`${new URL(hub.url).host} Basic ${btoa('device:secret')}`]);
  const { stdout } = await command({}, 'certificate', 'fingerprint');
  expect(stdout).toBe(`${hub.clientCertificate}\n`);
  await command({ ...env, NO_PROXY: '127.0.0.1' }, 'device', 'id');
  expect(proxy.requested).toHaveLength(1);
  await command({ ...env, NO_PROXY: 'hub.example, 127.*' }, 'device', 'id');
  expect(proxy.requested).toHaveLength(1);
  await command({ ...env, HTTPS_PROXY: proxy.url.replace('http://', '') }, 'device', 'id');
  expect(proxy.requested).toHaveLength(2);
});

test('a proxy that is gone, refuses or is of another kind is named, and the last ends the agent', async () => {
  const lost = await connectProxy();
  await lost[Symbol.asyncDispose]();
  const shown = lost.url.replace('device:secret@', '');
  expect(await command({ HTTPS_PROXY: lost.url }, 'device', 'id')).toEqual({
    code: 1,
    stdout: '',
    stderr: `The proxy ${shown} cannot be reached: nothing listens there.\n`,
  });
  await using refusing = await connectProxy();
  refusing.status = 407;
  expect(await command({ HTTPS_PROXY: refusing.url }, 'device', 'id')).toMatchObject({
    stderr: `The proxy ${refusing.url.replace('device:secret@', '')} does not connect to ${hub.url}: it wants a name and a password, as in http://name:password@proxy.example:3128.\n`,
  });
  expect(await command({ https_proxy: 'socks5://127.0.0.1:1080' }, 'run')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'https_proxy names a proxy for socks5, which is not supported: name an HTTP proxy, such as http://proxy.example:3128.\n',
  });
});
