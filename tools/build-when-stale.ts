import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isTestFile, repositoryRoot, sourcePaths } from './source-files.ts';

/** Something that is built from sources of this repository into a folder of its own. */
export interface Build {
  /** What people call it. */
  readonly name: string;
  /** The rooms whose sources end up in it. */
  readonly rooms: readonly string[];
  /** The scripts that say how it is built, absolute; a change of them makes what was built stale too. */
  readonly scripts: readonly string[];
  /** The folder that it is built into, relative to the repository. */
  readonly output: string;
  /** Builds into an empty folder. Rejected with what people should read when that fails. */
  readonly into: (target: string) => Promise<void>;
}

/**
 * Builds what is missing or was built from other sources, and says so on the error stream. Rejected with the build's own
 * output where the build fails; what was there before then stays.
 */
export async function buildWhenStale(build: Build): Promise<void> {
  const output = join(repositoryRoot, build.output);
  const stamp = join(output, '.sources');
  const sources = hashOfSources(build);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  process.stderr.write(`Building the ${build.name} ...\n`);
  const target = temporaryTarget();
  try {
    await build.into(target);
    writeFileSync(join(target, '.sources'), sources);
    // Whoever runs the hub need not be who built it.
    chmodSync(target, 0o755);
    rmSync(output, { recursive: true, force: true });
    renameSync(target, output);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** One digest over all that the build reads: the rooms that end up in it, how it is built, and the versions of the libraries. */
function hashOfSources({ rooms, scripts }: Build): string {
  const hash = createHash('sha256');
  const add = (name: string, path: string): void => {
    hash.update(name).update('\0').update(readFileSync(path)).update('\0');
  };
  for (const room of rooms)
    for (const path of sourcePaths(join(repositoryRoot, room)).files)
      if (!isTestFile(path) && !path.endsWith('.gen.ts'))
        add(`${room}/${path}`, join(repositoryRoot, room, path));
  for (const script of scripts) add('script', script);
  add('package-lock.json', join(repositoryRoot, 'package-lock.json'));
  return hash.digest('hex');
}

// Beside the libraries, so that the finished folder can be moved into place in one step.
function temporaryTarget(): string {
  const cache = join(repositoryRoot, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, 'corral-build-'));
}
