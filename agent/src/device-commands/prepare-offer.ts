import { join } from 'node:path';
import type { ChannelRequest } from '@corral/multiplex';
import type { CommandsConfig } from '../config.ts';
import type { DeviceLink } from '../link/device-link.ts';
import type { Log } from '../log.ts';
import { Ledger } from '../operations/Ledger.ts';
import { OperationWorker } from '../operations/OperationWorker.ts';
import { commandsProperty, manifestOf, readCommands, type OfferedCommands } from './read-commands.ts';
import { type RunCommand, runOffered } from './run-command.ts';
import { HandlerServer } from './serve-handler.ts';

/** What people may have this device do. */
export interface Offer {
  /** Publishes the commands over a link, and asks over it for work where that is enabled, until it ends. */
  serve(link: DeviceLink): void;
  /** Serves a channel by which the hub has a command run. */
  serveHandler(request: ChannelRequest): void;
  /** Whether a command runs. */
  isBusy(): boolean;
}

/** Commands that run at the same time; one of an operation is among them. */
const maxCommands = 4;

/** Reads the commands and, where the device asks for work, the record of the steps that it began; undefined where commands are off. Throws an AgentError. */
export async function prepareOffer(
  { directory, pollIntervalSecs }: CommandsConfig,
  stateDir: string,
  log: Log,
): Promise<Offer | undefined> {
  if (directory === undefined) return undefined;
  const warn = (message: string): void => log.warn(message);
  const commands = readCommands(directory, warn);
  const run = runOffered(commands);
  let running = 0;
  const counted: RunCommand = async (call) => {
    running += 1;
    try {
      return await run(call);
    } finally {
      running -= 1;
    }
  };
  const names = [...commands.keys()].join(', ');
  log.info(`this device offers the commands of ${directory}: ${names === '' ? 'none' : names}`);
  const worker =
    pollIntervalSecs === undefined
      ? undefined
      : new OperationWorker({
          ledger: await Ledger.open(join(stateDir, 'operations.json'), warn),
          run: counted,
          pollIntervalSecs,
          log,
        });
  const handlers = new HandlerServer(counted, worker === undefined ? maxCommands : maxCommands - 1, log);
  return {
    isBusy: () => running > 0,
    serveHandler: (request) => handlers.serve(request),
    serve(link) {
      publishCommands(link, commands, log);
      worker?.serve(link);
    },
  };
}

function publishCommands(link: DeviceLink, commands: OfferedCommands, log: Log): void {
  link.setProperty(commandsProperty, manifestOf(commands)).catch((error: Error) => {
    if (link.end === undefined) log.warn(`the hub refused the list of commands: ${error.message}`);
  });
}
