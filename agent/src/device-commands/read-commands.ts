import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileProblem } from '@corral/client/node';
import type { Json } from '@corral/contract';
import { AgentError } from '../AgentError.ts';
import { readManifest, type OfferedCommand } from './offered-command.ts';

/** The commands that this device offers, by their names. */
export type OfferedCommands = ReadonlyMap<string, OfferedCommand>;

/** The property that lists them. */
export const commandsProperty = 'dev.nexigon.commands';
/** What that property may have on the hub. */
const maxBytes = 4 * 1_048_576;

/** Reads the manifests of a folder, all files whose names end with `.toml`. What cannot be used is left out, and `warn` is called with a sentence that says why. */
export function readCommands(directory: string, warn: (message: string) => void): OfferedCommands {
  const commands = new Map<string, OfferedCommand>();
  let bytes = 0;
  for (const file of manifestsIn(directory, warn)) {
    const command = usable(file, warn);
    if (command === undefined) continue;
    bytes += Buffer.byteLength(JSON.stringify(described(command)));
    if (commands.has(command.name))
      warn(`The manifest ${file} is not used: another one has the name ${command.name}.`);
    else if (bytes > maxBytes)
      warn(`The manifest ${file} is not used: all commands together may have 4 MiB.`);
    else commands.set(command.name, command);
  }
  return commands;
}

/** The commands as people and hub see them: without what runs. */
export function manifestOf(commands: OfferedCommands): { commands: Json[] } {
  return { commands: [...commands.values()].map(described) };
}

function described({ handler: _handler, timeoutSecs: _timeoutSecs, ...shown }: OfferedCommand): Json {
  return shown as unknown as Json;
}

function manifestsIn(directory: string, warn: (message: string) => void): string[] {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith('.toml') && !name.startsWith('.'));
    return names.sort().map((name) => join(directory, name));
  } catch (cause) {
    warn(`No command is offered: the folder ${directory} cannot be read: ${fileProblem(cause, directory)}.`);
    return [];
  }
}

function usable(file: string, warn: (message: string) => void): OfferedCommand | undefined {
  try {
    return readManifest(file);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    warn(error.message);
    return undefined;
  }
}
