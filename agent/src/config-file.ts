import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileProblem } from '@corral/client/node';
import { TomlError, parse } from 'smol-toml';
import { AgentError } from './AgentError.ts';

/** A configuration file in TOML; a value is undefined where its key is missing. Wrong types throw an AgentError. */
export interface ConfigFile {
  text(key: string): string | undefined;
  /** A list of strings. */
  texts(key: string): readonly string[] | undefined;
  flag(key: string): boolean | undefined;
  /** A path, relative to the file. */
  path(key: string): string | undefined;
  /** A whole number between two bounds. */
  wholeNumber(key: string, min: number, max: number): number | undefined;
  /** The table of this name; an empty one where it is missing. */
  table(name: string): ConfigFile;
}

/** The default paths; the first existing file is used. */
const defaultFiles = ['/etc/corral/agent.toml', '/etc/nexigon/agent.toml'];

/** Reads the named file, or the default one; without either, an empty one. Unknown keys are ignored. */
export function readConfigFile(named: string | undefined): ConfigFile {
  const file = named ?? defaultFiles.find((path) => existsSync(path));
  return readTable(file === undefined ? {} : parseTomlFile('configuration file', file), file ?? '');
}

function readTable(table: Record<string, unknown>, file: string, prefix = ''): ConfigFile {
  const wrong = (key: string, wanted: string) =>
    new AgentError(`${prefix}${key} in ${file} must be ${wanted}.`);
  const text = (key: string): string | undefined => {
    const value = table[key];
    if (value !== undefined && typeof value !== 'string') throw wrong(key, 'a string');
    return value;
  };
  return {
    text,
    texts(key) {
      const value = table[key];
      const isList = Array.isArray(value) && value.every((part) => typeof part === 'string');
      if (value !== undefined && !isList) throw wrong(key, 'a list of strings');
      return value;
    },
    flag(key) {
      const value = table[key];
      if (value !== undefined && typeof value !== 'boolean') throw wrong(key, 'true or false');
      return value;
    },
    path(key) {
      const value = text(key);
      return value === undefined ? undefined : resolve(dirname(file), value);
    },
    wholeNumber(key, min, max) {
      const value = table[key];
      if (value === undefined) return undefined;
      if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
      throw wrong(key, `a whole number from ${min} to ${max}`);
    },
    table(name) {
      const value = table[name] ?? {};
      if (!isTable(value)) throw wrong(name, 'a table');
      return readTable(value, file, `${prefix}${name}.`);
    },
  };
}

/** Whether a value of TOML is a table. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Reads a file in TOML, named `what` in errors. Throws an AgentError with one sentence. */
export function parseTomlFile(what: string, path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AgentError(`The ${what} ${path} cannot be read: ${fileProblem(cause, path)}.`, { cause });
  }
  try {
    return parse(text);
  } catch (cause) {
    // The parser's message quotes the line, which may contain the token.
    const where = cause instanceof TomlError ? ` (line ${cause.line})` : '';
    throw new AgentError(`The ${what} ${path} is not valid TOML${where}.`, { cause });
  }
}
