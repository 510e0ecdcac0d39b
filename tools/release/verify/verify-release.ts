import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../source-files.ts';
import { platforms, type Platform } from '../platforms.ts';
import { runTool } from '../run-tool.ts';
import type { SoftwareBill } from '../sbom.ts';
import { namesIn, problemsOfSums } from '../sign.ts';
import { problemsOfBill } from './problems-of-bill.ts';
import { problemsOfContents } from './problems-of-contents.ts';
import { problemsOfPrograms, problemsOfVersions } from './problems-of-versions.ts';
import { unpackImage } from './unpack.ts';

/** Where releases are made. */
const places = [repositoryRoot, join(tmpdir(), 'corral-release-')];
const home = 'usr/lib/corral-hub';

/**
 * Checks the files of a release without installing them: digests, and their signature if the public key is given, versions, and for each platform that the bills list what is there
 * and nothing else. Throws an Error with all that is wrong.
 */
export function verifyRelease(release: string, version: string, publicKey?: string): void {
  const names = namesIn(release);
  // What has other bytes is not opened.
  verifySums(release, version, publicKey);
  failOn([
    ...problemsOfVersions(release, names, version),
    ...platforms.flatMap((platform) => problemsOfPlatform(release, version, platform)),
    ...problemsOfDocuments(release, version),
  ]);
  process.stderr.write(
    `Verified ${names.length} files of ${version}: digests, ${publicKey === undefined ? '' : 'signature, '}versions, contents and bills.\n`,
  );
}

/** Checks the digests of a release, and their signature if the public key is given. Throws an Error with all that is wrong. */
export function verifySums(release: string, version: string, publicKey?: string): void {
  failOn(problemsOfSums(release, version, publicKey));
}

function failOn(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function problemsOfDocuments(release: string, version: string): string[] {
  const work = mkdtempSync(join(tmpdir(), 'corral-verify-'));
  try {
    runTool('tar', ['xzf', join(release, `corral-docs-${version}.tar.gz`), '-C', work], work);
    return problemsOfContents(work, places);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function problemsOfPlatform(release: string, version: string, { name, cpu }: Platform): string[] {
  const work = mkdtempSync(join(tmpdir(), 'corral-verify-'));
  try {
    const archive = `corral-hub-${version}-${name}`;
    runTool('tar', ['xzf', join(release, `${archive}.tar.gz`), '-C', work], work);
    const folder = join(work, archive);
    const root = join(work, 'root');
    const { Labels } = unpackImage(join(release, `${archive}.oci.tar`), root, work);
    const label = Labels['org.opencontainers.image.version'];
    const bill = (of: string): SoftwareBill =>
      JSON.parse(readFileSync(join(release, `${of}.cdx.json`), 'utf8')) as SoftwareBill;
    return [
      ...(label === version ? [] : [`The image for ${name} says the version ${label}, not ${version}.`]),
      ...(cpu === process.arch ? problemsOfPrograms(folder, version) : []),
      ...problemsOfContents(folder, places),
      ...problemsOfBill(bill(archive), folder).map((problem) => `${archive}.cdx.json: ${problem}`),
      ...problemsOfBill(bill(`${archive}.oci.tar`), join(root, home), root).map(
        (problem) => `${archive}.oci.tar.cdx.json: ${problem}`,
      ),
    ];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
