import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileProblem } from '@corral/client/node';
import { AgentError } from '../AgentError.ts';
import { replaceOwn } from '../identity/own-file.ts';

declare const corralKit: Readonly<Record<string, string>> | undefined;

/** Where the parts of the kit go. */
export interface KitFolders {
  readonly manifests: string;
  readonly scripts: string;
}

/** The folders that its manifests and documents name. */
export const kitFolders: KitFolders = {
  manifests: '/etc/corral/commands',
  scripts: '/usr/local/lib/corral-kit',
};

/** What every device with the kit gets: the library of the scripts, and the one that needs no commands. */
const always = ['lib.sh', 'install.sh'];

/** The files of the kit by name: those that the build inserted, else those of the package. */
function kitFiles(): Readonly<Record<string, string>> {
  if (typeof corralKit === 'object') return corralKit;
  const folder = new URL('../../kit/', import.meta.url);
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
  );
}

/** The commands of the kit. */
export const kitCommands = (): string[] =>
  Object.keys(kitFiles()).flatMap((name) => (name.endsWith('.toml') ? [name.slice(0, -'.toml'.length)] : []));

/** Writes manifests and scripts of commands of the kit, in the place of older ones; returns the paths of all files. Throws an AgentError. */
export async function addKit(
  commands: readonly string[],
  { manifests, scripts }: KitFolders,
): Promise<string[]> {
  const files = kitFiles();
  const unknown = commands.find((name) => !kitCommands().includes(name));
  if (unknown !== undefined)
    throw new AgentError(`The kit has no command ${unknown}; it has ${kitCommands().join(', ')}.`);
  const paths: string[] = [];
  const write = async (folder: string, name: string, mode: number): Promise<void> => {
    makeFolder(folder);
    const text = (files[name] ?? '').replaceAll(`"${kitFolders.scripts}/`, `"${resolve(scripts)}/`);
    await replaceOwn(join(folder, name), text, mode);
    paths.push(join(folder, name));
  };
  const scriptNames = new Set([...always, ...commands.map((name) => `${name}.sh`)]);
  for (const name of scriptNames) await write(scripts, name, name === 'lib.sh' ? 0o644 : 0o755);
  for (const name of commands) await write(manifests, `${name}.toml`, 0o644);
  return paths;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
  } catch (cause) {
    throw new AgentError(`The folder ${folder} cannot be made: ${fileProblem(cause, folder)}.`, { cause });
  }
}
