import { readFileSync } from 'node:fs';
import { fileProblem } from '@corral/client/node';
import { characterCount, nameProblem, problemMessages } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';

/** Names of devices by address, by public fingerprint (d_pk_…) or by fingerprint of the certificate. */
export class DeviceNames {
  readonly #names: ReadonlyMap<string, string>;
  readonly #unused: Set<string>;

  constructor(names: ReadonlyMap<string, string> = new Map()) {
    this.#names = names;
    this.#unused = new Set(names.keys());
  }

  /** The name that the file gives under the first of these that it has. */
  find(keys: readonly string[]): string | undefined {
    const key = keys.map(nameKey).find((one) => this.#names.has(one));
    if (key === undefined) return undefined;
    this.#unused.delete(key);
    return this.#names.get(key);
  }

  /** What no device was found for, in the order of the file. */
  get unused(): string[] {
    return [...this.#unused];
  }
}

const maxCharacters = 128;

/** Reads a file with an address or a fingerprint and a name on each line, separated by a comma. Throws a CliError that names the line. */
export function readNames(path: string): ReadonlyMap<string, string> {
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

/** The key under which a name is kept: fingerprints of certificates and names of hosts are written in either case. */
function nameKey(key: string): string {
  if (/^[0-9a-f]{2}(:[0-9a-f]{2}){31}$/i.test(key)) return key.toUpperCase();
  return key.startsWith('d_') ? key : key.toLowerCase();
}

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
