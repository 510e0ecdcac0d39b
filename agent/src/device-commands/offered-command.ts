import { isAbsolute, join } from 'node:path';
import { parseExactJson, type Json } from '@corral/contract';
import { AgentError } from '../AgentError.ts';
import { isTable, parseTomlFile } from '../config-file.ts';

/** A command that this device offers, as its manifest describes it. */
export interface OfferedCommand {
  readonly name: string;
  readonly description?: string;
  readonly category?: string;
  /** JSON Schemas of what the command takes and returns. */
  readonly input?: Json;
  readonly output?: Json;
  /** The program and its arguments. */
  readonly handler: readonly [string, ...string[]];
  /** How long it may run where the caller does not say. */
  readonly timeoutSecs: number;
}

/** A command runs no longer, whatever its manifest or the caller says. */
export const maxTimeoutSecs = 3_600;
const defaultTimeoutSecs = 30;
const nameForm = /^[A-Za-z0-9._-]{1,128}$/;

const isCommandName = (name: string): boolean => nameForm.test(name);

/** Reads the manifest of a command, a file in TOML. Throws an AgentError with one sentence. */
export function readManifest(file: string): OfferedCommand {
  const root = parseTomlFile('manifest', file);
  const fault = (message: string, cause?: unknown) =>
    new AgentError(`The manifest ${file} is not used: ${message}.`, { cause });
  const command = tableOf(root, 'command', fault);
  const exec = tableOf(root, 'exec', fault);
  const { name, description, category } = command;
  if (typeof name !== 'string' || !isCommandName(name))
    throw fault('command.name must have 1 to 128 of the characters A–Z a–z 0–9 . _ -');
  const [program, ...args] = handlerOf(exec['handler'], fault);
  const { timeout = defaultTimeoutSecs } = exec;
  if (!Number.isInteger(timeout) || (timeout as number) < 1)
    throw fault('exec.timeout must be a whole number of seconds');
  return {
    name,
    ...textOf({ description, category }, fault),
    ...schemaOf(root, 'input', fault),
    ...schemaOf(root, 'output', fault),
    handler: [programPath(program, file), ...args],
    timeoutSecs: Math.min(timeout as number, maxTimeoutSecs),
  };
}

type Fault = (message: string, cause?: unknown) => AgentError;

function tableOf(root: Record<string, unknown>, key: string, fault: Fault): Record<string, unknown> {
  const table = root[key];
  if (isTable(table)) return table;
  throw fault(`it has no table [${key}]`);
}

function handlerOf(handler: unknown, fault: Fault): readonly [string, ...string[]] {
  const isList = Array.isArray(handler) && handler.every((part) => typeof part === 'string');
  if (!isList || handler.length === 0 || handler[0] === '')
    throw fault('exec.handler must be a list: the program, and its arguments');
  return handler as [string, ...string[]];
}

function textOf(fields: Record<string, unknown>, fault: Fault): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const wrong = given.find(([, value]) => typeof value !== 'string');
  if (wrong !== undefined) throw fault(`command.${wrong[0]} must be a string`);
  return Object.fromEntries(given) as Record<string, string>;
}

function schemaOf(
  root: Record<string, unknown>,
  key: 'input' | 'output',
  fault: Fault,
): Partial<Record<typeof key, Json>> {
  if (root[key] === undefined) return {};
  const { schema } = tableOf(root, key, fault);
  try {
    const parsed = parseExactJson(schema as string) as Json;
    if (typeof parsed === 'boolean' || isTable(parsed)) return { [key]: parsed };
  } catch (cause) {
    throw fault(`${key}.schema is no JSON`, cause);
  }
  throw fault(`${key}.schema must be a JSON Schema as a string`);
}

/** A name without a slash is looked up in PATH; a relative path begins at the folder of the manifests. */
function programPath(program: string, file: string): string {
  return !program.includes('/') || isAbsolute(program) ? program : join(file, '..', program);
}
