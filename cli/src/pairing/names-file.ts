import { readFileSync } from 'node:fs';
import { fileProblem } from '@corral/client/node';
import { characterCount, nameProblem, problemMessages } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';

/** Names of devices by address, by public fingerprint (d_pk_…) or by fingerprint of the certificate. */
export type DeviceNames = ReadonlyMap<string, string>;

const maxCharacters = 128;

/** Reads a file with an address or a fingerprint and a name on each line, separated by a comma. Throws a CliError that names the line. */
export function readNames(path: string): DeviceNames {
  const names = new Map<string, string>();
  for (const [index, line] of readLines(path).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const comma = line.indexOf(',');
    const wrong = (problem: string) =>
      new CliError(`Line ${index + 1} of ${path}: ${problem}`, exitCodes.usage);
    if (comma < 1) throw wrong('write an address or a fingerprint, a comma, and a name.');
    const key = unquoted(line.slice(0, comma));
    const name = unquoted(line.slice(comma + 1));
    const problem = nameProblem(name, 'name');
    if (problem !== undefined) throw wrong(problemMessages[problem]);
    if (characterCount(name) > maxCharacters) throw wrong(`a name has at most ${maxCharacters} characters.`);
    if (names.has(nameKey(key))) throw wrong(`${key} has a name already.`);
    names.set(nameKey(key), name);
  }
  return names;
}

/** The key under which a name is kept: fingerprints of certificates are written in either case. */
export const nameKey = (key: string): string =>
  /^[0-9a-f]{2}(:[0-9a-f]{2}){31}$/i.test(key) ? key.toUpperCase() : key;

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/);
  } catch (cause) {
    throw new CliError(`The file ${path} cannot be read: ${fileProblem(cause, path)}.`, exitCodes.usage, {
      cause,
    });
  }
}

function unquoted(field: string): string {
  const text = field.trim();
  return /^".*"$/.test(text) ? text.slice(1, -1).replaceAll('""', '"').trim() : text;
}
