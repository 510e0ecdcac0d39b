import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileProblem } from '@corral/client/node';
import { TomlError, parse } from 'smol-toml';
import { AgentError } from './AgentError.ts';

/** A configuration file in TOML; a value is undefined where its key is missing. Wrong types throw an AgentError. */
export interface ConfigFile {
  text(key: string): string | undefined;
  flag(key: string): boolean | undefined;
  /** A path, relative to the file. */
  path(key: string): string | undefined;
}

/** The default paths; the first existing file is used. */
const defaultFiles = ['/etc/corral/agent.toml', '/etc/nexigon/agent.toml'];

/** Reads the named file, or the default one; without either, an empty one. Unknown keys are ignored. */
export function readConfigFile(named: string | undefined): ConfigFile {
  const file = named ?? defaultFiles.find((path) => existsSync(path));
  const table = file === undefined ? {} : parseFile(file);
  const text = (key: string) => typed(table, key, 'string', file) as string | undefined;
  return {
    text,
    flag: (key) => typed(table, key, 'boolean', file) as boolean | undefined,
    path(key) {
      const value = text(key);
      return value === undefined ? undefined : resolve(dirname(file ?? ''), value);
    },
  };
}

function typed(
  table: Record<string, unknown>,
  key: string,
  type: 'string' | 'boolean',
  file: string | undefined,
): unknown {
  const value = table[key];
  if (value === undefined || typeof value === type) return value;
  throw new AgentError(`${key} in ${file} must be ${type === 'string' ? 'a string' : 'true or false'}.`);
}

function parseFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AgentError(`The configuration file ${path} cannot be read: ${fileProblem(cause, path)}.`, {
      cause,
    });
  }
  try {
    return parse(text);
  } catch (cause) {
    // The parser's message quotes the line, which may contain the token.
    const where = cause instanceof TomlError ? ` (line ${cause.line})` : '';
    throw new AgentError(`The configuration file ${path} is not valid TOML${where}.`, { cause });
  }
}
