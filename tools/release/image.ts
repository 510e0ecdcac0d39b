import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOrInstall } from '../system-program.ts';
import { debianLicence, type DebianPackage } from './debian-licences.ts';
import type { Platform } from './platforms.ts';
import { runTool } from './run-tool.ts';

/** What of Debian is in the image: what Node.js and PostgreSQL need, and an account for any user. */
const debianPackages = [
  'base-files',
  'dash',
  'libc6',
  'libgcc-s1',
  'libnss-wrapper',
  'libstdc++6',
  'netbase',
  'tzdata',
  'zlib1g',
];
const debianRelease = 'bookworm';

const files = join(import.meta.dirname, 'files');
const user = '10001:0';
const dataDir = '/var/lib/corral';
const home = '/usr/lib/corral-hub';

/** Where an image is made, and of what. */
export interface ImagePlan {
  readonly platform: Platform;
  readonly version: string;
  readonly epochSecs: number;
  /** The folder that is installed. */
  readonly folder: string;
  readonly work: string;
  /** The archive to write, in the layout of OCI. */
  readonly archive: string;
}

/** Makes the image of a container, and returns the packages of Debian in it. The same packages give the same bytes. */
export function makeImage(plan: ImagePlan): DebianPackage[] {
  const { work, platform, version, epochSecs, archive } = plan;
  rmSync(work, { recursive: true, force: true });
  const layout = join(work, 'layout');
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
  const base = makeBase(plan);
  const layers = [base.root, makeHubLayer(plan)].map((root) => addLayer(layout, root, work, epochSecs));
  const config = addBlob(layout, JSON.stringify(imageConfig(plan, layers)));
  const manifest = addBlob(
    layout,
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
      layers: layers.map(({ digest, size }) => ({
        mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
        digest,
        size,
      })),
    }),
  );
  writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  const entry = {
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    ...manifest,
    annotations: { 'org.opencontainers.image.ref.name': `corral-hub:${version}` },
    platform: { os: 'linux', architecture: platform.architecture },
  };
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [entry] }));
  runTool('tar', [...tarOptions(epochSecs), '-cf', archive, '-C', layout, '.'], work);
  rmSync(layout, { recursive: true });
  return base.packages;
}

const tarOptions = (epochSecs: number): string[] => [
  '--sort=name',
  '--numeric-owner',
  '--owner=0',
  '--group=0',
  '--format=gnu',
  `--mtime=@${epochSecs}`,
];

/** Unpacks the packages of Debian, without their documents but for the licences. */
function makeBase({ work, platform }: ImagePlan): { root: string; packages: DebianPackage[] } {
  const mmdebstrap = findOrInstall({
    names: ['mmdebstrap'],
    places: [],
    probe: ['--version'],
    variable: 'CORRAL_MMDEBSTRAP',
    debianPackage: 'mmdebstrap',
    need: 'A release makes the base of its image with mmdebstrap',
  });
  const [archive, list, root] = ['base.tar', 'packages', 'base'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ];
  runTool(
    mmdebstrap,
    [
      '--quiet',
      '--variant=extract',
      `--architectures=${platform.architecture}`,
      `--include=${debianPackages.join(',')}`,
      `--extract-hook=ls "$1"/var/cache/apt/archives > ${list}`,
      debianRelease,
      archive,
    ],
    work,
  );
  mkdirSync(root);
  runTool(
    'tar',
    ['xf', archive, '-C', root, '--exclude=./dev/*', '--exclude=./var/lib/apt/*', '--exclude=./var/log/*'],
    work,
  );
  for (const name of readdirSync(join(root, 'usr/share/doc'), { recursive: true, encoding: 'utf8' })) {
    const path = join(root, 'usr/share/doc', name);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true && !name.endsWith('/copyright'))
      rmSync(path);
  }
  rmSync(archive);
  return { root, packages: packagesOf(readFileSync(list, 'utf8'), root) };
}

function packagesOf(list: string, root: string): DebianPackage[] {
  return list.split('\n').flatMap((line) => {
    const [, name, version] = /^([^_]+)_([^_]+)_\w+\.deb$/.exec(line) ?? [];
    return name === undefined || version === undefined
      ? []
      : [{ name, version: decodeURIComponent(version), licence: debianLicence(root, name) }];
  });
}

/** The files of the hub, its accounts, and the folders that it writes to. */
function makeHubLayer({ work, folder }: ImagePlan): string {
  const root = join(work, 'hub');
  for (const path of ['etc', 'usr/bin', 'usr/lib', 'tmp', dataDir])
    mkdirSync(join(root, path), { recursive: true });
  cpSync(folder, join(root, home), { recursive: true });
  for (const name of ['corral-hub', 'corral']) {
    cpSync(join(files, 'image', `${name}.sh`), join(root, 'usr/bin', name));
    runTool('chmod', ['755', join(root, 'usr/bin', name)], work);
  }
  const shell = '/usr/sbin/nologin';
  writeFileSync(
    join(root, 'etc/passwd'),
    `root:x:0:0:root:/:${shell}\nnobody:x:65534:65534:nobody:/:${shell}\ncorral:x:10001:0:corral:${dataDir}:${shell}\n`,
  );
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n');
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n');
  // Members of the group 0 may write, whatever user a platform chooses.
  runTool('chmod', ['1777', join(root, 'tmp')], work);
  runTool('chmod', ['0770', join(root, dataDir)], work);
  return root;
}

interface Layer {
  readonly digest: string;
  readonly size: number;
  /** The digest of the layer before it was compressed. */
  readonly diffId: string;
}

function addLayer(layout: string, root: string, work: string, epochSecs: number): Layer {
  const archive = join(work, 'layer.tar');
  runTool('tar', [...tarOptions(epochSecs), '-cf', archive, '-C', root, '.'], work);
  const diffId = digestOf(readFileSync(archive));
  runTool('gzip', ['-n', archive], work);
  const layer = { ...addBlob(layout, readFileSync(`${archive}.gz`)), diffId };
  rmSync(`${archive}.gz`);
  rmSync(root, { recursive: true });
  return layer;
}

function addBlob(layout: string, content: string | Buffer): { digest: string; size: number } {
  const bytes = Buffer.from(content);
  const digest = digestOf(bytes);
  writeFileSync(join(layout, 'blobs', digest.replace(':', '/')), bytes);
  return { digest, size: bytes.length };
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

function imageConfig({ platform, version, epochSecs }: ImagePlan, layers: readonly Layer[]): object {
  const node = `${home}/node/bin/node`;
  const created = new Date(epochSecs * 1000).toISOString();
  return {
    created,
    os: 'linux',
    architecture: platform.architecture,
    config: {
      User: user,
      WorkingDir: '/',
      Env: [
        `CORRAL_DATA_DIR=${dataDir}`,
        'CORRAL_HOST=0.0.0.0',
        'CORRAL_LOG_FORMAT=json',
        'PATH=/usr/bin:/bin',
      ],
      Entrypoint: [node, '--max-semi-space-size=8', `${home}/hub/src/main.js`],
      ExposedPorts: { '8080/tcp': {} },
      StopSignal: 'SIGTERM',
      Healthcheck: {
        Test: ['CMD', node, `${home}/health.mjs`],
        Interval: 10e9,
        Timeout: 5e9,
        StartPeriod: 60e9,
        Retries: 3,
      },
      Labels: {
        'org.opencontainers.image.title': 'Corral hub',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.created': created,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: [
      { created, created_by: `packages of Debian ${debianRelease}` },
      { created, created_by: `Corral ${version}` },
    ],
  };
}
