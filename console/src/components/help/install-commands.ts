import { enHelp } from '../../copy/en-help.ts';
import { agentFile, isPlainElsewhere } from '../agent-command.ts';

/** Where the hub serves the command line. */
export const cliFile = '/download/corral.mjs';

/** The command that fetches the agent from the hub at `origin`. */
export function agentFetchCommand(origin: string): string {
  return `curl -fsSO ${origin}${agentFile}`;
}

/** The command by which the command line asks for the hub, which is at `origin`, and a user token. */
export function configureCommand(origin: string): string {
  return `corral configure${isPlainElsewhere(origin) ? ' --allow-plain-http' : ''}`;
}

/** The commands that fetch the command line from the hub at `origin`, name it in this terminal, and set it up. */
export function cliInstallCommands(origin: string): string {
  const name = 'alias corral="node $PWD/corral.mjs"';
  return [`curl -fsSO ${origin}${cliFile}`, name, configureCommand(origin)].join('\n');
}

const words = enHelp.cli;

/** What to try first with the command line. */
export const firstCommands: readonly { does: string; code: string }[] = [
  { does: words.login, code: 'corral login' },
  { does: words.list, code: 'corral projects list' },
  { does: words.devices, code: 'corral devices list' },
  { does: words.forward, code: 'corral forward DEVICE 2222:22' },
  { does: words.execute, code: `corral actions execute projects_CreateProject '{"name":"Harbour"}'` },
];
