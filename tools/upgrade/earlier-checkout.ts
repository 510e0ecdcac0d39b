import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../release/run-tool.ts';
import { repositoryRoot } from '../source-files.ts';

/**
 * Puts the sources of the newest release before the present commit into an empty folder, with their libraries, and returns its name. Before the first release it is the
 * commit before, and in a clone of one commit this commit.
 */
export function checkOutEarlier(folder: string): string {
  const name =
    newestRelease() ??
    (git(repositoryRoot, 'rev-parse', '--verify', '--quiet', 'HEAD^') === undefined ? 'HEAD' : 'HEAD^');
  runTool('sh', ['-c', 'git archive "$1" | tar x -C "$2"', 'sh', name, folder], repositoryRoot);
  if (librariesOf(folder) === librariesOf(repositoryRoot)) linkLibraries(folder);
  else runTool('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
  return name;
}

/** The tag of the newest release in the changelog before the present commit; undefined before the first one. Throws one sentence if the clone lacks it. */
export function newestRelease(root: string = repositoryRoot): string | undefined {
  const commitOf = (name: string): string | undefined =>
    git(root, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  for (const [, version] of changelog.matchAll(/^## (\S+) \(/gm)) {
    const tag = `v${version}`;
    const commit = commitOf(`refs/tags/${tag}`);
    if (commit === undefined)
      throw new Error(
        `CHANGELOG.md has the release ${version}, and this clone lacks its tag ${tag}: git fetch --tags.`,
      );
    if (commit !== commitOf('HEAD')) return tag;
  }
  return undefined;
}

function git(root: string, ...args: string[]): string | undefined {
  try {
    return runTool('git', args, root).trim();
  } catch {
    return undefined;
  }
}

/** The versions of all libraries of a checkout, but not its own packages. */
function librariesOf(root: string): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean }>;
  };
  return JSON.stringify(
    Object.entries(lock.packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && link === undefined,
    ),
  );
}

/** Links the installed libraries one by one: the packages of the checkout have to be its own. */
function linkLibraries(folder: string): void {
  const own = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { workspaces: string[] };
  mkdirSync(join(folder, 'node_modules/@corral'), { recursive: true });
  for (const name of readdirSync(join(repositoryRoot, 'node_modules')))
    if (name !== '@corral')
      symlinkSync(join(repositoryRoot, 'node_modules', name), join(folder, 'node_modules', name));
  for (const name of own.workspaces) {
    symlinkSync(join(folder, name), join(folder, 'node_modules/@corral', name));
    const libraries = join(repositoryRoot, name, 'node_modules');
    if (existsSync(libraries)) symlinkSync(libraries, join(folder, name, 'node_modules'));
  }
}
