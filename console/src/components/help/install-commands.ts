import { enHelp } from '../../copy/en-help.ts';

/** Where the hub serves the agent. */
export const agentFile = '/download/corral-agent.mjs';
/** Where the hub serves the command line. */
export const cliFile = '/download/corral.mjs';

/** The command that fetches the agent from the hub at `origin`. */
export function agentFetchCommand(origin: string): string {
  return `curl -fsSO ${origin}${agentFile}`;
}

/** The commands that fetch the command line from the hub at `origin`, name it in this terminal, and set it up. */
export function cliInstallCommands(origin: string): string {
  return [`curl -fsSO ${origin}${cliFile}`, 'alias corral="node $PWD/corral.mjs"', 'corral configure'].join(
    '\n',
  );
}

const words = enHelp.cli;

/** What to try first with the command line. */
export const firstCommands: readonly { does: string; code: string }[] = [
  { does: words.list, code: 'corral projects list' },
  { does: words.devices, code: 'corral devices list' },
  { does: words.forward, code: 'corral forward DEVICE 2222:22' },
  { does: words.execute, code: 'corral actions execute actor_GetActor' },
];
