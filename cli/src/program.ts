import { Command } from 'commander';
import { addActions } from './commands/actions.ts';
import { addAlerts } from './commands/alerts.ts';
import { addCertificateRotations } from './commands/certificates.ts';
import { addAssets } from './commands/assets.ts';
import { addConfigure } from './commands/configure.ts';
import { addDevices } from './commands/devices.ts';
import { addFiles } from './commands/files.ts';
import { addForward } from './commands/forward.ts';
import { addHttpProxy } from './commands/http-proxy.ts';
import { addInstall } from './commands/install.ts';
import { addLogin } from './commands/login.ts';
import { addLogout } from './commands/logout.ts';
import { commandContextOf, type ProgramContext } from './commands/command-context.ts';
import { addOperations } from './commands/operations.ts';
import { addPackages } from './commands/packages.ts';
import { addPair } from './commands/pair.ts';
import { addProjects } from './commands/projects.ts';
import { addPublish } from './commands/publish.ts';
import { addPull } from './commands/pull.ts';
import { addRepositories } from './commands/repositories.ts';
import { addRun } from './commands/run.ts';
import { addTerminal } from './commands/terminal.ts';
import { addVersions } from './commands/versions.ts';
import { addWhoAmI } from './commands/whoami.ts';
import { version } from './version.ts';

const about = `
Hub and token come from CORRAL_URL and CORRAL_TOKEN, else from ./.corral.toml, else from ~/.config/corral/cli.toml.
Exit codes: 0 done, 1 failed, 2 wrong use, 3 not signed in or not allowed, 4 conflict, 5 what arrived is damaged.`;

const commands = [
  addLogin,
  addLogout,
  addWhoAmI,
  addConfigure,
  addForward,
  addHttpProxy,
  addActions,
  addDevices,
  addPair,
  addProjects,
  addRun,
  addInstall,
  addOperations,
  addAlerts,
  addCertificateRotations,
  addTerminal,
  addFiles,
  addPublish,
  addPull,
  addRepositories,
  addPackages,
  addVersions,
  addAssets,
];

/** Builds the command line. Its actions are rejected with errors that `failureOf` describes. */
export function createProgram(parts: ProgramContext): Command {
  const program = new Command('corral')
    .description('Works with a Corral hub from the command line.')
    .option('--json', 'print results as JSON, for programs')
    .version(version(), '--version', 'print the version of this program')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => parts.stdout.write(text),
      writeErr: (text) => parts.stderr.write(text),
    })
    .showHelpAfterError('(add --help for how it is used)')
    .addHelpText('after', about)
    .exitOverride();
  const context = commandContextOf(program, parts);
  for (const add of commands) add(program, context);
  return program;
}
