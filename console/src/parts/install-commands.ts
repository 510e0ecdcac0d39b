import { agentFile, isRemotePlainHttp } from './agent-command.ts';

/** The path at which the hub serves the command line. */
export const cliFile = '/download/corral.mjs';

/** The command that downloads the agent from the hub at `origin`. */
export function agentFetchCommand(origin: string): string {
  return `curl -fsSO ${origin}${agentFile}`;
}

/** The command that configures the command line for the hub at `origin`; it prompts for address and user token. */
export function configureCommand(origin: string): string {
  return `corral configure${isRemotePlainHttp(origin) ? ' --allow-plain-http' : ''}`;
}

/** The commands that download the command line from the hub at `origin`, define its alias, and configure it. */
export function cliInstallCommands(origin: string): string {
  const name = 'alias corral="node $PWD/corral.mjs"';
  return [`curl -fsSO ${origin}${cliFile}`, name, configureCommand(origin)].join('\n');
}
