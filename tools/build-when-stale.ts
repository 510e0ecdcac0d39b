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

/** A build of an output folder from sources of this repository. */
export interface Build {
  /** Its name in messages. */
  readonly name: string;
  /** The packages whose sources it contains. */
  readonly packages: readonly string[];
  /** Absolute paths of the build scripts; a changed script makes the output stale too. */
  readonly scripts: readonly string[];
  /** The output folder, relative to the repository. */
  readonly output: string;
  /** Builds into an empty folder. Rejects with a message for users. */
  readonly into: (target: string) => Promise<void>;
}

/**
 * Builds the output if it is missing or its sources changed, and reports that on stderr. Rejects with the build's output when it fails;
 * the previous output then stays.
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
    // The hub may run as another user than the build.
    chmodSync(target, 0o755);
    rmSync(output, { recursive: true, force: true });
    renameSync(target, output);
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

/** A digest of the build's inputs: sources, build scripts and library versions. */
function hashOfSources({ packages, scripts }: Build): string {
  const hash = createHash('sha256');
  const add = (name: string, path: string): void => {
    hash.update(name).update('\0').update(readFileSync(path)).update('\0');
  };
  for (const name of packages)
    for (const path of sourcePaths(join(repositoryRoot, name)).files)
      if (!isTestFile(path) && !path.endsWith('.gen.ts'))
        add(`${name}/${path}`, join(repositoryRoot, name, path));
  for (const script of scripts) add('script', script);
  add('package-lock.json', join(repositoryRoot, 'package-lock.json'));
  return hash.digest('hex');
}

// On the same file system as the output, so that one rename puts it in place.
function temporaryTarget(): string {
  const cache = join(repositoryRoot, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, 'corral-build-'));
}
