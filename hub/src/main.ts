import type { FirstAdministrator } from './wiring/first-administrator.ts';
import type { HubCommand } from './operator/run-command.ts';
import { version } from './wiring/version.ts';
import { ConfigError } from './config/ConfigError.ts';
import { readCommandLine } from './config/command-line.ts';
import { configHelp } from './config/describe.ts';
import { loadConfig, type Config } from './config/config.ts';
import type { RunningHub } from './hub.ts';
import { createLog, type Log } from './platform/log/log.ts';

/** How long a stop may take before it is cut short. */
const stopWithinMs = 30_000;

/** Ends the process with one sentence for the operator. */
function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function readConfig(): Config {
  try {
    const { isHelpWanted, isVersionWanted } = readCommandLine(process.argv.slice(2));
    if (isHelpWanted || isVersionWanted) {
      process.stdout.write(isHelpWanted ? configHelp() : `${version}\n`);
      process.exit(0);
    }
    return loadConfig();
  } catch (error) {
    if (error instanceof ConfigError) fail(error.message);
    throw error;
  }
}

async function start(config: Config, log: Log): Promise<RunningHub> {
  try {
    const { startHub } = await import('./hub.ts');
    return await startHub(config, log, announceAdministrator);
  } catch (error) {
    log.debug({ err: error }, 'the hub could not start');
    fail(error instanceof Error ? error.message : String(error));
  }
}

/** Prints the password of the first administrator: only on the terminal, never in the log. */
function announceAdministrator({ email, chosenPassword }: FirstAdministrator): void {
  const password = chosenPassword ?? 'as set in CORRAL_ADMIN_PASSWORD';
  const lines = ['', '  The first administrator, shown only this once:', `    e-mail    ${email}`];
  process.stdout.write(`${lines.join('\n')}\n    password  ${password}\n`);
}

function announce({ url }: RunningHub, startedInMs: number): void {
  process.stdout.write(`\n  Corral is ready: ${url}   (${(startedInMs / 1000).toFixed(1)} s)\n\n`);
}

/**
 * Node waits for the threads of V8 when it exits, and one that compiles what has just run may wait for a garbage collection of the main thread: then it hangs
 * (nodejs/node#54918). After some idle time none compiles any more.
 */
const idleBeforeExitMs = 250;

/** Stops gracefully at the first signal, at once at the second. */
function stopOnSignals(hub: RunningHub, log: Log): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(130);
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), stopWithinMs + hub.waitsForCommandsMs).unref();
    void hub.stop().then(() => {
      log.info({}, 'stopped');
      setTimeout(() => process.exit(0), idleBeforeExitMs);
    });
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

// Each command and the hub itself are loaded only where they run: all modules of the hub take longer than --help or an invalid setting.
const commands = {
  audit: async () => (await import('./operator/audit-command.ts')).auditCommand,
  backup: async () => (await import('./operator/backup-command.ts')).backupCommand,
  doctor: async () => (await import('./operator/doctor/doctor-command.ts')).doctorCommand,
  'move-passkeys': async () => (await import('./operator/move-passkeys.ts')).movePasskeysCommand,
  'reset-administrator': async () => (await import('./operator/reset-administrator.ts')).resetCommand,
  restore: async () => (await import('./operator/restore-command.ts')).restoreCommand,
  storage: async () => (await import('./operator/storage-doctor/storage-command.ts')).storageCommand,
};

const [, , name = '', ...args] = process.argv;
if (Object.hasOwn(commands, name)) {
  const { runCommand } = await import('./operator/run-command.ts');
  const command = await commands[name as keyof typeof commands]();
  process.exit(await runCommand(command as HubCommand, args, process.stdout));
}
const config = readConfig();
const log = createLog({ level: config.logLevel, format: config.logFormat });
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'));
const hub = await start(config, log);
stopOnSignals(hub, log);
announce(hub, performance.now());
