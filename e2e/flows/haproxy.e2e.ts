import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findOrInstallHaproxy, freePorts } from '@corral/tools';
import { newDataDir, removeFolder } from '../fixtures/folders.ts';
import { startHubProcess } from '../fixtures/hub-process.ts';
import { requestUpgrade } from '../fixtures/http-request.ts';
import { newProject, newToken, signInByApi } from '../fixtures/operator.ts';
import { startProgram, type Program } from '../fixtures/program.ts';
import { makeCertificates } from '../fixtures/tls-hub.ts';
import { expect, test as base } from '../fixtures/test.ts';

const configuration = new URL('../../docs/operations/haproxy.cfg', import.meta.url);

const test = base.extend<{ readonly executable: string }>({
  executable: async ({}, use) => {
    const found = findOrInstallHaproxy();
    if (found === undefined) base.skip(true, 'HAProxy is missing (Debian: apt-get install haproxy).');
    await use(found ?? '');
  },
});

interface Ports {
  readonly port: number;
  readonly plainPort: number;
  readonly hubPort: number;
  /** Nothing listens there, as if that hub had been killed. */
  readonly deadPort: number;
}

/** Starts HAProxy with the configuration of the documentation, of which names, paths and ports are replaced. */
async function startHaproxy(executable: string, folder: string, ports: Ports): Promise<Program> {
  const { certificateFile, keyFile } = await makeCertificates(join(folder, 'tls'));
  const certs = join(folder, 'certs');
  await mkdir(certs);
  const pair = await Promise.all([certificateFile, keyFile].map((file) => readFile(file, 'utf8')));
  await writeFile(join(certs, 'hub.example.pem'), pair.join(''));
  const text = [
    ['/etc/haproxy/certs', certs],
    // This user may not have as many descriptors as that takes.
    ['maxconn 100000', 'maxconn 500'],
    ['bind :443', `bind 127.0.0.1:${ports.port}`],
    ['bind :80', `bind 127.0.0.1:${ports.plainPort}`],
    ['127.0.0.1:8080', `127.0.0.1:${ports.hubPort}`],
    ['127.0.0.1:8081', `127.0.0.1:${ports.deadPort}`],
    ['.devices.example', '.proxy.localhost'],
  ].reduce(
    (changed, [from = '', to = '']) => changed.replaceAll(from, to),
    await readFile(configuration, 'utf8'),
  );
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, text);
  return startProgram(executable, ['-db', '-f', file]);
}

test(
  '[needs HAProxy] behind HAProxy devices are known by the certificate of their TLS handshake, and by nothing that they claim',
  { tag: '@deep' },
  async ({ executable, devices, folder }) => {
    const [port = 0, plainPort = 0, hubPort = 0, deadPort = 0] = await freePorts(4);
    const url = `https://localhost:${port}`;
    const hub = await startHubProcess(await newDataDir(), {
      CORRAL_PORT: `${hubPort}`,
      CORRAL_PUBLIC_URL: url,
      CORRAL_TRUSTED_PROXIES: '127.0.0.1',
      CORRAL_TRUSTED_PROXY_HEADER: 'true',
    });
    const proxy = await startHaproxy(executable, folder, { port, plainPort, hubPort, deadPort });
    const authorityFile = join(folder, 'tls', 'ca.pem');
    const ca = await readFile(authorityFile, 'utf8');
    const operator = await signInByApi({ url: `http://127.0.0.1:${hubPort}`, origin: url });
    const { token } = await newToken(operator, await newProject(operator));

    const device = await devices.make({ url }, token, { NODE_EXTRA_CA_CERTS: authorityFile });
    const { deviceId } = await device.run().connected();
    const { certificates } = await operator.invoke('devices_GetDeviceDetails', { deviceId });
    expect(certificates.map(({ fingerprint }) => fingerprint)).toEqual([
      await device.call('certificate', 'fingerprint'),
    ]);

    const stolen = encodeURIComponent(await readFile(join(device.stateDir, 'certificate.pem'), 'utf8'));
    const claims = {
      authorization: `Bearer ${token}`,
      'x-deployment-token': token,
      'x-device-fingerprint': `d_sk_${'7'.padEnd(44, 'a')}`,
      'x-register-connection': 'false',
      'x-client-cert': stolen,
    };
    expect(await requestUpgrade(url, claims, { ca })).toMatchObject({
      status: 400,
      text: expect.stringContaining('A client certificate is missing.'),
    });
    const plain = await fetch(`http://localhost:${plainPort}/projects`, { redirect: 'manual' });
    expect([plain.status, plain.headers.get('location')]).toEqual([
      308,
      `https://localhost:${plainPort}/projects`,
    ]);
    await proxy.stop();
    await hub.stop();
    await removeFolder(hub.dataDir);
  },
);
