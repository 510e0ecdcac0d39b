import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runTool } from '../run-tool.ts';
import { makeCleanRoot, type CleanRoot } from './clean-root.ts';

type Service = 'corral-hub' | 'corral-agent';

/** The files of a release. */
export interface Release {
  readonly folder: string;
  readonly version: string;
}

/** A clean Debian with the packages of a hub and an agent, whose services a script starts and stops in place of systemd. */
export interface DebianServer {
  readonly root: CleanRoot;
  /** Installs both packages of a release over what there is. Throws with what dpkg said. */
  install(release: Release, env?: Readonly<Record<string, string>>): void;
  /** Moves a folder to a disk of its own with so much space left; it grows when it is asked to. */
  giveDisk(path: string, spareMib: number): { grow(): void };
  systemctl(verb: 'start' | 'stop' | 'restart', service: Service): void;
  /** How often a service was started. */
  starts(service: Service): number;
  /** Waits until the hub is ready, and returns its address. */
  ready(): Promise<string>;
  /** Waits until the hub has ended by itself, and returns its last line. */
  refusal(): Promise<string>;
  /** What a service has written since it was started. */
  log(service: Service): string;
  /** The version of the hub that dpkg names, and whether it is whole. */
  installed(): string;
  /** A digest of all files of the hub. */
  digest(): string;
  remove(): void;
}

/** Makes a clean Debian below a folder that believes in systemd. */
export function makeDebianServer(folder: string): DebianServer {
  const root = makeCleanRoot(join(folder, 'root'));
  const inRoot = (path: string): string => join(root.path, path);
  mkdirSync(inRoot('run/systemd/system'), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'systemctl.sh'), inRoot('usr/bin/systemctl'));
  chmodSync(inRoot('usr/bin/systemctl'), 0o755);
  const textOf = (path: string): string =>
    existsSync(inRoot(path)) ? readFileSync(inRoot(path), 'utf8') : '';
  const systemctl: DebianServer['systemctl'] = (verb, service) => void root.run('systemctl', verb, service);
  const log = (service: Service): string => textOf(`var/log/${service}.log`);
  const isRunning = (): boolean => root.run('sh', '-c', 'systemctl is-active corral-hub || :') !== '';
  const disks: string[] = [];
  return {
    root,
    systemctl,
    log,
    starts: (service) => textOf(`run/${service}.starts`).split('\n').length - 1,
    install: (release, env = {}) => installPackages(root, release, env),
    ready: () => eventually(() => /Corral is ready: (http\S+)/.exec(log('corral-hub'))?.[1]),
    refusal: () => eventually(() => (isRunning() ? undefined : log('corral-hub').trim().split('\n').at(-1))),
    giveDisk(path, spareMib) {
      systemctl('stop', 'corral-hub');
      disks.push(inRoot(path));
      moveToDisk(inRoot(path), spareMib);
      systemctl('start', 'corral-hub');
      return { grow: () => void runTool('mount', ['-o', 'remount,size=4g', inRoot(path)], '/') };
    },
    installed: () =>
      root.run('dpkg-query', '--show', '--showformat=${Version} ${db:Status-Status}', 'corral-hub'),
    digest: () =>
      root.run(
        'sh',
        '-c',
        'find /usr/lib/corral-hub -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum',
      ),
    remove() {
      for (const service of ['corral-agent', 'corral-hub'] as const) systemctl('stop', service);
      for (const disk of disks) runTool('umount', ['--lazy', disk], '/');
      root.remove();
    },
  };
}

function installPackages(
  root: CleanRoot,
  { folder, version }: Release,
  env: Readonly<Record<string, string>>,
): void {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const names = ['corral-hub', 'corral-agent'].map((name) => `${name}_${version}_${architecture}.deb`);
  for (const name of names)
    if (!existsSync(join(root.path, 'tmp', name))) root.copyIn(join(folder, name), `tmp/${name}`);
  const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  root.run('env', ...set, 'dpkg', '--install', ...names.map((name) => `/tmp/${name}`));
}

/** Puts a folder on a disk in memory that has so much space left. */
function moveToDisk(path: string, spareMib: number): void {
  const script = [
    'used=$(du -sm "$1" | cut -f 1)',
    'mv "$1" "$1.before" && mkdir "$1"',
    'mount -t tmpfs -o size=$((used + $2))m,mode=755 tmpfs "$1"',
    'cp -a "$1.before/." "$1"',
  ];
  runTool('sh', ['-c', script.join(' && '), 'sh', path, String(spareMib)], '/');
}

async function eventually(find: () => string | undefined): Promise<string> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = find();
    if (found !== undefined) return found;
    await delay(100);
  }
  throw new Error('The hub is neither ready nor ended after a minute.');
}
