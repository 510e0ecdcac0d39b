import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileProblem } from '@corral/client/node';
import { TomlError, parse, stringify } from 'smol-toml';
import { CliError } from './CliError.ts';

/** Where configuration is read from. */
export interface ConfigPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The home folder of the user. */
  readonly home: string;
}

/** The values of a configuration file; undefined where a key is missing. */
export interface ConfigFile {
  readonly hubUrl: string | undefined;
  readonly token: string | undefined;
  readonly isPlainAllowed: boolean;
}

/** The path of the file in the working folder. */
export function localFile({ cwd }: ConfigPlace): string {
  return resolve(cwd, '.corral.toml');
}

/** The path of the file of the user: below XDG_CONFIG_HOME, else below ~/.config. */
export function userFile({ env, home }: ConfigPlace): string {
  const xdg = env['XDG_CONFIG_HOME'];
  const folder = xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.config');
  return join(folder, 'corral', 'cli.toml');
}

/** The files in order of precedence. */
export function configFiles(place: ConfigPlace): string[] {
  return [localFile(place), userFile(place)];
}

/** Reads a file; undefined where there is none. Throws a CliError that names the file and repeats nothing of it. */
export function readConfigFile(path: string): ConfigFile | undefined {
  const table = readTable(path);
  if (table === undefined) return undefined;
  const text = (key: string): string | undefined => {
    const value = table[key];
    if (value === undefined || typeof value === 'string') return value;
    throw new CliError(`${key} in ${path} must be a string.`);
  };
  return {
    hubUrl: text('hub-url'),
    token: text('token'),
    isPlainAllowed: table['allow-plain-http'] === true,
  };
}

function readTable(path: string): Record<string, unknown> | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new CliError(`${path} cannot be read: ${fileProblem(cause, path)}.`, undefined, { cause });
  }
  try {
    return parse(text);
  } catch (cause) {
    // The parser's message quotes the line, which may contain the token.
    const where = cause instanceof TomlError ? ` (line ${cause.line})` : '';
    throw new CliError(`${path} is not valid TOML${where}.`, undefined, { cause });
  }
}

/** Writes a file that only its owner can read, in one step. Rejected with a CliError. */
export async function saveConfigFile(
  path: string,
  { hubUrl, token, isPlainAllowed }: ConfigFile,
): Promise<void> {
  const table = { 'hub-url': hubUrl, token, ...(isPlainAllowed ? { 'allow-plain-http': true } : {}) };
  const draft = `${path}.${process.pid}.new`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(draft, stringify(table), { mode: 0o600, flag: 'wx' });
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (cause) {
    throw new CliError(`${path} cannot be written: ${fileProblem(cause, path)}.`, undefined, { cause });
  }
}
