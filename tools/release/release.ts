// `npm run release -- X.Y.Z --key FILE` makes a release; `npm run release -- build` makes the files of the release that is checked out.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from '../site/build-site.ts';
import { repositoryRoot } from '../source-files.ts';
import { findAdvisories, partsOf } from './advisories.ts';
import { packFolder } from './archives.ts';
import { urgentNotes } from './changes.ts';
import { makeImage } from './image.ts';
import { makeLinuxPackages } from './linux-packages.ts';
import { makeApp } from './make-app.ts';
import { makeFolder } from './make-folder.ts';
import { makeNpmPackages } from './npm-packages.ts';
import { platforms } from './platforms.ts';
import { checkRelease, commitRelease, commitSecs, ReleaseRefusal, versionOf } from './prepare.ts';
import { softwareBill } from './sbom.ts';
import { mustBeSecretKey, signSums, writeSums } from './sign.ts';
import { tryCluster } from './try/cluster.ts';
import { tryRelease } from './try/try-release.ts';
import { verifyRelease } from './verify/verify-release.ts';
import { writeJson } from './write-json.ts';

const usage = `Usage: npm run release -- X.Y.Z --key FILE [--into FOLDER]
       npm run release -- build [--key FILE] [--into FOLDER]
       npm run release -- try FOLDER [--way NAME] [--public-key FILE] [--from OLDER_FOLDER]
       npm run release -- advisories FILE

The first checks the notes below changes/, writes CHANGELOG.md and the version, commits and tags them, and makes the files of the release.
The second makes the files of the version that is checked out: the same bytes each time.
The third, as root on Debian, verifies the files in a folder, installs them in each of their ways, and prints a table; with --from it upgrades an older release to them; the way cluster, which must be named, runs three hubs of the image and kills them.
The fourth names the advisories, in a file or folder of OSV, that are for what Corral uses.

  --key FILE      The secret key of minisign that signs SHA256SUMS.
  --into FOLDER   Where the files go; release/X.Y.Z by default.
  --public-key FILE  The key that verifies the signature of SHA256SUMS, also that of the older release.
`;

async function main(): Promise<void> {
  // The modes of files do not depend on who makes them.
  process.umask(0o022);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      into: { type: 'string' },
      'public-key': { type: 'string' },
      way: { type: 'string' },
      from: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const [word, folder] = positionals;
  if (word === 'try' && folder !== undefined)
    return values.way === 'cluster'
      ? tryCluster(resolve(folder), values['public-key'])
      : tryRelease(resolve(folder), {
          only: values.way,
          publicKey: values['public-key'],
          from: values.from && resolve(values.from),
        });
  if (word === 'advisories' && folder !== undefined) return lookUpAdvisories(resolve(folder));
  if (values.help === true || word === undefined || positionals.length > 1) {
    process.stdout.write(usage);
    return;
  }
  const isRelease = word !== 'build';
  if (values.key !== undefined) mustBeSecretKey(values.key);
  else if (isRelease) throw new ReleaseRefusal('A release is signed: name a key by --key.');
  const into = values.into === undefined ? undefined : emptyFolder(resolve(values.into));
  if (isRelease) {
    checkRelease(repositoryRoot, word);
    commitRelease(repositoryRoot, word, new Date());
  }
  const version = versionOf(repositoryRoot);
  const target = into ?? emptyFolder(join(repositoryRoot, 'release', version));
  await makeFiles(version, target);
  const notes = urgentNotes(readFileSync(join(repositoryRoot, 'CHANGELOG.md'), 'utf8'));
  writeJson(join(target, 'newest.json'), { version, notes });
  writeSums(target);
  verifyRelease(target, version);
  if (values.key !== undefined) signSums(target, resolve(values.key), version);
  process.stdout.write(`\n  Release ${version} is in ${target}\n`);
}

/** Prints what is found; one that is found makes the exit code 1. */
function lookUpAdvisories(path: string): void {
  const { read, found } = findAdvisories(path, partsOf());
  process.stdout.write(
    [...found, `${found.length} of ${read} advisories are for what Corral uses.`, ''].join('\n'),
  );
  process.exitCode = found.length > 0 ? 1 : 0;
}

/** Makes a folder; refuses one that has files, which would be signed too. */
function emptyFolder(path: string): string {
  mkdirSync(path, { recursive: true });
  if (readdirSync(path).length > 0)
    throw new ReleaseRefusal(`${path} is not empty: name another folder by --into, or empty it.`);
  return path;
}

async function makeFiles(version: string, into: string): Promise<void> {
  const epochSecs = commitSecs(repositoryRoot);
  const work = mkdtempSync(join(tmpdir(), 'corral-release-'));
  try {
    const app = join(work, 'app');
    step('hub, console, agent and command line');
    await makeApp(app, version);
    for (const platform of platforms) {
      const name = `corral-hub-${version}-${platform.name}`;
      step(name);
      const folder = join(work, name);
      makeFolder(folder, app, platform);
      const bill = softwareBill({ folder, platform, version, epochSecs });
      writeJson(join(folder, 'sbom.cdx.json'), bill);
      writeJson(join(into, `${name}.cdx.json`), bill);
      packFolder(work, name, into, epochSecs);
      makeLinuxPackages(work, folder, { platform, version, epochSecs, into });
      const archive = join(into, `${name}.oci.tar`);
      const debian = makeImage({ platform, version, epochSecs, folder, work: join(work, 'image'), archive });
      writeJson(`${archive}.cdx.json`, softwareBill({ folder, platform, version, epochSecs, debian }));
    }
    step('documentation');
    await buildSite(join(work, 'site', version), version);
    packFolder(join(work, 'site'), version, into, epochSecs, `corral-docs-${version}`);
    step('npm packages');
    makeNpmPackages(join(work, 'npm'), app, version, into);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function step(name: string): void {
  process.stderr.write(`Making ${name} ...\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
