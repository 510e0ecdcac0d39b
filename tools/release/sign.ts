import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOrInstall } from '../system-program.ts';

const sums = 'SHA256SUMS';

/** Writes the digests of all files of a folder to SHA256SUMS, in the form of `sha256sum`. */
export function writeSums(folder: string): void {
  const names = readdirSync(folder).filter((name) => !name.startsWith(sums));
  const lines = names.toSorted().map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${digest}  ${name}\n`;
  });
  writeFileSync(join(folder, sums), lines.join(''));
}

/** Signs SHA256SUMS by a key of minisign, which asks for its password; the signature is SHA256SUMS.minisig. */
export function signSums(folder: string, keyFile: string, version: string): void {
  const comment = `Corral ${version}`;
  // It asks for the password of the key.
  const { status } = spawnSync(minisign(), ['-S', '-s', keyFile, '-t', comment, '-m', sums], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`The digests were not signed: minisign ended with ${status}.`);
}

function minisign(): string {
  return findOrInstall({
    names: ['minisign'],
    places: [],
    probe: ['-v'],
    variable: 'CORRAL_MINISIGN',
    debianPackage: 'minisign',
    need: 'A release is signed by minisign',
  });
}
