import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findOrInstall } from '../../system-program.ts';
import { removeTree, runTool } from '../run-tool.ts';

/** A Debian that has nothing installed but its essential packages, in which programs run by chroot. */
export interface CleanRoot {
  readonly path: string;
  /** The command line that runs a program in it. */
  inside(program: string, ...args: string[]): readonly [string, readonly string[]];
  run(program: string, ...args: string[]): string;
  copyIn(file: string, to: string): void;
  remove(): void;
}

/** The archive of a Debian 12 with its essential packages and these; made once into the user's cache folder. */
export function debianArchive(name: string, ...packages: string[]): string {
  const archive = join(
    process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
    `corral/release/${name}.tar`,
  );
  if (existsSync(archive)) return archive;
  const mmdebstrap = findOrInstall({
    names: ['mmdebstrap'],
    places: [],
    probe: ['--version'],
    variable: 'CORRAL_MMDEBSTRAP',
    debianPackage: 'mmdebstrap',
    need: 'The trial of a release needs mmdebstrap',
  });
  const included = packages.length === 0 ? [] : [`--include=${packages.join(',')}`];
  runTool(mmdebstrap, ['--quiet', '--variant=minbase', ...included, 'bookworm', `${archive}.new.tar`], '/');
  runTool('mv', [`${archive}.new.tar`, archive], '/');
  return archive;
}

/** Makes a clean Debian 12; root only. */
export function makeCleanRoot(path: string): CleanRoot {
  mkdirSync(path, { recursive: true });
  runTool('tar', ['xf', debianArchive('debian-12'), '-C', path, '--exclude=./dev/*'], '/');
  for (const folder of ['dev', 'proc']) runTool('mount', ['--rbind', `/${folder}`, join(path, folder)], '/');
  const inside: CleanRoot['inside'] = (program, ...args) => [
    'env',
    [
      '-i',
      'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
      'DEBIAN_FRONTEND=noninteractive',
      'chroot',
      path,
      program,
      ...args,
    ],
  ];
  return {
    path,
    inside,
    run(program, ...args) {
      const [first, rest] = inside(program, ...args);
      return runTool(first, rest, '/');
    },
    copyIn: (file, to) => cpSync(file, join(path, to)),
    remove() {
      for (const folder of ['dev', 'proc'])
        runTool('umount', ['--recursive', '--lazy', join(path, folder)], '/');
      removeTree(path);
    },
  };
}
