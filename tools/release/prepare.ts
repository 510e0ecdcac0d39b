import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogSection, readChanges, withSection } from './changes.ts';
import { runTool } from './run-tool.ts';

/** A reason why there is no release; one sentence for the maintainer. */
export class ReleaseRefusal extends Error {
  override readonly name = 'ReleaseRefusal';
}

/** Checks that a version may be released from a checkout. Throws a `ReleaseRefusal`. */
export function checkRelease(root: string, version: string): void {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new ReleaseRefusal(`${version} is no version: give three numbers, such as 1.2.0.`);
  const present = versionOf(root);
  if (!isGreater(version, present))
    throw new ReleaseRefusal(`${version} is not greater than ${present}, the present version.`);
  if (git(root, 'status', '--porcelain') !== '')
    throw new ReleaseRefusal('The checkout has changes that are not committed: commit or remove them first.');
  if (git(root, 'tag', '--list', `v${version}`) !== '')
    throw new ReleaseRefusal(`The tag v${version} exists already.`);
  const { changes, problems } = readChanges(root);
  const [problem] = problems;
  if (problem !== undefined) throw new ReleaseRefusal(`${problem.file}: ${problem.message}`);
  if (changes.length === 0)
    throw new ReleaseRefusal('There is no note below changes/: say what is new, a file a change.');
}

/** Writes the changelog and the version, and commits and tags them. Call `checkRelease` before. */
export function commitRelease(root: string, version: string, now: Date): void {
  const { changes } = readChanges(root);
  const changelog = join(root, 'CHANGELOG.md');
  const section = changelogSection(version, now.toISOString().slice(0, 10), changes);
  writeFileSync(changelog, withSection(readFileSync(changelog, 'utf8'), section));
  for (const name of readdirSync(join(root, 'changes')))
    if (name !== 'README.md') rmSync(join(root, 'changes', name));
  runTool(
    'npm',
    ['version', version, '--workspaces', '--include-workspace-root', '--no-git-tag-version'],
    root,
  );
  for (const name of ['compose.yaml', 'kubernetes.yaml']) {
    const file = join(root, 'docs/operations', name);
    writeFileSync(file, setImageVersion(readFileSync(file, 'utf8'), version));
  }
  runTool(process.execPath, ['tools/generate.ts'], root);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message', `Release ${version}`);
  git(root, 'tag', '--annotate', '--message', `Corral ${version}`, `v${version}`);
}

/** The file with the image of the hub in another version. */
export function setImageVersion(text: string, version: string): string {
  return text.replaceAll(/(?<=\bcorral-hub:)\d+\.\d+\.\d+/g, version);
}

/** The version of the checkout. */
export function versionOf(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** When the checked out commit was made, in seconds: the time of all files of a release. */
export function commitSecs(root: string): number {
  return Number(git(root, 'log', '-1', '--format=%ct'));
}

/** Whether a version is greater than another one. */
export function isGreater(version: string, than: string): boolean {
  const left = version.split('.').map(Number);
  const right = than.split('.').map(Number);
  const place = left.findIndex((part, index) => part !== right[index]);
  return place >= 0 && (left[place] ?? 0) > (right[place] ?? 0);
}

function git(root: string, ...args: string[]): string {
  return runTool('git', args, root).trim();
}
