import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AssetServer } from '../../../client/test/asset-server.ts';
import { hubCertificate } from '../../test/hub-certificate.ts';
import { HubPeer, ok, token } from '../../test/hub-peer.ts';

const kit = join(import.meta.dirname, '../../kit');
const agent = join(import.meta.dirname, '../../dist/corral-agent.mjs');
const versionId = `pkg_v_${'1'.repeat(22)}`;
let hub: HubPeer;
let server: AssetServer;
let folder: string;

beforeEach(async () => {
  const made = await hubCertificate();
  hub = await HubPeer.start(made);
  server = await AssetServer.start(Buffer.from('an image'), made);
  server.hasChunks = false;
  folder = await mkdtemp(join(tmpdir(), 'corral-kit-tls-'));
  await writeFile(join(folder, 'ca.pem'), made.cert);
  await writeFile(join(folder, 'agent'), `#!/bin/sh\nexec ${process.execPath} ${agent} "$@"\n`, {
    mode: 0o755,
  });
  await writeFile(join(folder, 'hook'), '#!/bin/sh\n', { mode: 0o755 });
  const { assetId, sizeBytes: size, digest } = server.asset;
  const file = { filename: 'press.img', assetId, size, digest, status: 'Available', metadata: {} };
  Object.assign(hub.answers, {
    repositories_ResolvePackageVersionByPath: ok({ result: 'Found', versionId }),
    repositories_ResolvePackageVersionAssetByPath: ok({ result: 'Found', assetId }),
    repositories_GetPackageVersionDetails: ok({ versionId, assets: [file], tags: [], metadata: {} }),
    repositories_GetAssetChunks: ok({ chunkSize: 1_048_576, total: 0, digests: '' }),
    repositories_IssueAssetDownloadUrl: ok({ url: `${server.origin}/r/assets/1?sig=1` }),
  });
});

afterEach(async () => {
  await hub.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function install(env: Record<string, string>, tag: string) {
  const child = spawn(join(kit, 'install.sh'), ['-'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      CORRAL_AGENT: join(folder, 'agent'),
      CORRAL_AGENT_HUB_URL: hub.url,
      CORRAL_AGENT_STATE: join(folder, 'state'),
      CORRAL_AGENT_TOKEN: token,
      CORRAL_KIT_ROOT: join(folder, 'root'),
      CORRAL_KIT_HOOK: join(folder, 'hook'),
      ...env,
    },
  });
  let stderr = '';
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  child.stdin.end(
    JSON.stringify({
      repository: 'acme',
      package: 'press',
      version: '1.2.0',
      tag,
      assets: [{ filename: 'press.img', size: server.asset.sizeBytes, digest: server.asset.digest }],
    }),
  );
  const [code] = (await once(child, 'close')) as [number];
  return { code, stderr };
}

test.each(['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])(
  'files come from a hub of a private authority that %s names to the agent',
  async (variable) => {
    expect(await install({ [variable]: join(folder, 'ca.pem') }, 'stable')).toEqual({ code: 0, stderr: '' });
    expect(await readFile(join(folder, 'root/acme/press/1.2.0/press.img'), 'utf8')).toBe('an image');
    expect(hub.inputsOf('devices_SetDeviceProperty')).toMatchObject([{ name: 'corral.installed' }]);
  },
);

test('a version without a tag is fetched by its id', async () => {
  const { code } = await install({ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }, versionId);
  expect([code, hub.inputsOf('repositories_ResolvePackageVersionByPath')]).toEqual([0, []]);
});

test('without its authority nothing is fetched', async () => {
  const { code, stderr } = await install({}, 'stable');
  expect(code).toBe(1);
  expect(stderr).toContain('its certificate is self-signed');
  expect(stderr).toContain('install: press.img cannot be fetched\n');
  expect(server.headers).toEqual([]);
});
