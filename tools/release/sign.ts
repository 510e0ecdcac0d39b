import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findOrInstall } from '../system-program.ts';

const sums = 'SHA256SUMS';
const secretKeyBytes = 158;

/** Writes the digests of all files of a folder to SHA256SUMS, in the form of `sha256sum`. */
export function writeSums(folder: string): void {
  const lines = namesIn(folder).map((name) => `${digestOf(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, sums), lines.join(''));
}

/** Signs SHA256SUMS by a key of minisign, which asks for its password; the signature is SHA256SUMS.minisig. */
export function signSums(folder: string, keyFile: string, version: string): void {
  const { status } = spawnSync(minisign(), ['-S', '-s', keyFile, '-t', commentOf(version), '-m', sums], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`The digests were not signed: minisign ended with ${status}.`);
}

/** Checks, before anything is made, that a release can be signed by a key. Throws one sentence. */
export function mustBeSecretKey(keyFile: string): void {
  minisign();
  if (!existsSync(keyFile)) throw new Error(`There is no key ${keyFile}.`);
  const [, key = ''] = readFileSync(keyFile, 'utf8').split('\n');
  if (Buffer.from(key, 'base64').length !== secretKeyBytes)
    throw new Error(`${keyFile} is no secret key of minisign.`);
}

/** What is wrong with the digests of a release, and with their signature if the public key is given; one sentence each. */
export function problemsOfSums(folder: string, version: string, publicKey?: string): string[] {
  const lines = readFileSync(join(folder, sums), 'utf8').trimEnd().split('\n');
  const listed = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  const names = namesIn(folder);
  return [
    ...names.filter((name) => !listed.has(name)).map((name) => `${name} is not in ${sums}.`),
    ...[...listed].flatMap(([name, digest]) => {
      if (!names.includes(name)) return [`${name} is missing.`];
      return digestOf(join(folder, name)) === digest ? [] : [`${name} has another digest than in ${sums}.`];
    }),
    ...(publicKey === undefined ? [] : problemsOfSignature(folder, version, publicKey)),
  ];
}

/** The names of the files of a release, without those of the digests and their signature. */
export const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name !== sums && name !== `${sums}.minisig`)
    .toSorted();

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

function problemsOfSignature(folder: string, version: string, publicKey: string): string[] {
  const args = ['-V', '-Q', '-m', sums, '-p', resolve(publicKey)];
  const { status, stdout } = spawnSync(minisign(), args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) return [`${sums} is not signed by the key in ${publicKey}.`];
  const comment = stdout.trim();
  return comment === commentOf(version) ? [] : [`The signature is one of ${comment}.`];
}

/** What the signature also covers, so that one of another release is seen. */
const commentOf = (version: string): string => `Corral ${version}`;

/** The path of minisign. */
export function minisign(): string {
  return findOrInstall({
    names: ['minisign'],
    places: [],
    probe: ['-v'],
    variable: 'CORRAL_MINISIGN',
    debianPackage: 'minisign',
    need: 'A release is signed by minisign',
  });
}
