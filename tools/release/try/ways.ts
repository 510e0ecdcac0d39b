import { chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../run-tool.ts';
import { makeCleanRoot } from './clean-root.ts';
import { image } from './image-way.ts';
import { startAgent, startProgram, type RunningProgram } from './programs.ts';
import { systemd } from './systemd-way.ts';

/** A way to install Corral that is tried. */
export interface Way {
  readonly name: string;
  /** Installs it below an empty folder, from the files of the release. */
  install(folder: string): Installed;
}

/** Corral, installed in one of its ways. */
export interface Installed {
  /** The folder whose size counts as installed. */
  readonly files: string;
  /** The folder of all data of its hub. */
  readonly data: string;
  startHub(port: number): RunningProgram;
  startAgent(hubUrl: string, token: string): RunningProgram;
  /** Checks more of it while its hub has a connected device; it may stop the hub. */
  check?(hub: RunningProgram): Promise<void>;
  /** Installs the same again over it, while its hub is stopped. */
  upgrade?(): void;
  remove(): void;
}

const nobody = 65_534;
const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups', '--'];

/** The ways that this machine can try, for the files of a release in a folder. */
export function waysOf(release: string, version: string): readonly Way[] {
  const file = (name: string): string => join(release, name);
  return [
    npx(release, version),
    archive(file, version),
    deb(file, version),
    systemd(file, version),
    image(file(`corral-hub-${version}-linux-${process.arch}.oci.tar`)),
  ];
}

/** The path of a file of the release. */
export type FileOf = (name: string) => string;

/** The npm packages, in a folder of a user without rights. */
function npx(release: string, version: string): Way {
  return {
    name: 'npx',
    install(folder) {
      const names = readdirSync(release).filter(
        (name) => name.endsWith('.tgz') && !name.includes(process.arch === 'x64' ? 'arm64' : 'x64'),
      );
      writeFileSync(join(folder, 'package.json'), '{}');
      const packages = names.map((name) => join(release, name));
      runTool('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], folder);
      const bin = (name: string): string => join(folder, 'node_modules/.bin', name);
      if (!runTool(bin('corral'), ['--version'], folder).includes(version))
        throw new Error('corral has another version.');
      mkdirSync(join(folder, 'data'));
      chownSync(join(folder, 'data'), nobody, nobody);
      return {
        files: join(folder, 'node_modules'),
        data: join(folder, 'data/hub'),
        startHub: (port) =>
          startProgram(['setpriv', [...asNobody, bin('corral-hub'), '--port', String(port)]], {
            PATH: process.env['PATH'],
            CORRAL_DATA_DIR: join(folder, 'data/hub'),
          }),
        startAgent: (hubUrl, token) =>
          startAgent([bin('corral-agent'), []], hubUrl, token, join(folder, 'data/agent')),
        remove() {},
      };
    },
  };
}

/** The archive, in a clean Debian. */
function archive(file: FileOf, version: string): Way {
  return {
    name: 'tar.gz',
    install(folder) {
      const root = makeCleanRoot(join(folder, 'root'));
      runTool(
        'tar',
        ['xzf', file(`corral-hub-${version}-linux-${process.arch}.tar.gz`), '-C', join(root.path, 'opt')],
        '/',
      );
      const home = `/opt/corral-hub-${version}-linux-${process.arch}`;
      return {
        files: join(root.path, home),
        data: join(root.path, 'var/lib/corral'),
        startHub: (port) => startProgram(root.inside(`${home}/bin/corral-hub`, '--port', String(port))),
        startAgent: (hubUrl, token) =>
          startProgram(
            root.inside(
              'env',
              `CORRAL_AGENT_TOKEN=${token}`,
              `${home}/bin/corral-agent`,
              'run',
              '--hub-url',
              hubUrl,
            ),
          ),
        remove: () => root.remove(),
      };
    },
  };
}

/** The packages of Debian, in a clean one without systemd. */
function deb(file: FileOf, version: string): Way {
  return {
    name: 'deb',
    install(folder) {
      const root = makeCleanRoot(join(folder, 'root'));
      const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
      const packages = ['corral-hub', 'corral-agent'].map((name) => `${name}_${version}_${architecture}.deb`);
      for (const name of packages) root.copyIn(file(name), `tmp/${name}`);
      const install = (): string => root.run('dpkg', '--install', ...packages.map((name) => `/tmp/${name}`));
      install();
      return {
        files: join(root.path, 'usr/lib/corral-hub'),
        data: join(root.path, 'var/lib/corral'),
        startHub: (port) => startProgram(root.inside('corral-hub', '--port', String(port))),
        startAgent: (hubUrl, token) =>
          startProgram(
            root.inside('env', `CORRAL_AGENT_TOKEN=${token}`, 'corral-agent', 'run', '--hub-url', hubUrl),
          ),
        upgrade: install,
        remove() {
          writeFileSync(join(root.path, 'etc/corral/corral.env'), '# changed\n');
          root.run('dpkg', '--remove', 'corral-hub', 'corral-agent');
          mustHave(root.path, ['etc/corral/corral.env', 'var/lib/corral/secret.key'], ['usr/lib/corral-hub']);
          install();
          root.run('dpkg', '--purge', 'corral-hub', 'corral-agent');
          mustHave(root.path, ['var/lib/corral/secret.key'], ['etc/corral/corral.env']);
          root.remove();
        },
      };
    },
  };
}

function mustHave(root: string, there: readonly string[], gone: readonly string[]): void {
  const list = (path: string): string =>
    runTool('sh', ['-c', 'ls -d "$1" 2>/dev/null || :', 'sh', join(root, path)], '/');
  const wrong = [...there.filter((path) => list(path) === ''), ...gone.filter((path) => list(path) !== '')];
  if (wrong.length > 0)
    throw new Error(`After the removal these are not as they should be: ${wrong.join(', ')}.`);
}
