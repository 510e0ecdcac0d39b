import type { Channel, ChannelRequest } from '@corral/multiplex';
import type { Log } from '../log.ts';
import type { Shell } from './Shell.ts';
import { readTerminalInput, writeExit, writeOutput } from './terminal-frames.ts';

/** How terminals are served. */
export interface TerminalOptions {
  /** Who may have one; the first is the default. */
  readonly users: readonly string[];
  /** Starts a shell of a user. */
  readonly open: (user: string) => Shell;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

const endpointForm = /^terminal(?:\/(.+))?$/s;
const maxTerminals = 4;

/** Whether an endpoint is that of a terminal. */
export const isTerminal = (endpoint: string): boolean => endpointForm.test(endpoint);

/** Serves terminals through channels, four at a time; the next channel is rejected. */
export class TerminalServer {
  readonly #options: TerminalOptions;
  #running = 0;

  constructor(options: TerminalOptions) {
    this.#options = options;
  }

  /** Whether one is open. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** Serves a channel to `terminal` or `terminal/<user>`; for a user who may have none, it ends without a frame. */
  serve(request: ChannelRequest): void {
    const { users, log } = this.#options;
    if (this.#running >= maxTerminals)
      return request.reject(`this device has ${maxTerminals} terminals open`);
    const user = endpointForm.exec(request.endpoint)?.[1] ?? users[0] ?? '';
    const channel = request.accept();
    if (!users.includes(user)) {
      log.warn(`a terminal was refused: the user ${JSON.stringify(user)} may have none`);
      return end(channel);
    }
    this.#running += 1;
    this.#serve(channel, user)
      .catch((error: Error) => log.warn(`the terminal of ${user} failed: ${error.message}`))
      .finally(() => {
        end(channel);
        this.#running -= 1;
      });
  }

  async #serve(channel: Channel, user: string): Promise<void> {
    const { log, open } = this.#options;
    log.info(`a terminal of ${user} begins`);
    const shell = open(user);
    let isHungUp = false;
    const hangUp = (): Promise<void> => {
      isHungUp = true;
      return shell.hangUp();
    };
    void channel.closed.then(hangUp);
    void typeInto(shell, channel).then(hangUp);
    try {
      for await (const bytes of shell.output) await writeOutput(channel, bytes);
      const status = await shell.exited;
      await writeExit(channel, status);
      log.info(`the terminal of ${user} ended with status ${status}`);
    } catch (error) {
      if (!isHungUp && !channel.isClosed) throw error;
      log.info(`the terminal of ${user} was closed`);
    } finally {
      end(channel);
      await hangUp();
    }
  }
}

async function typeInto(shell: Shell, channel: Channel): Promise<void> {
  try {
    for await (const input of readTerminalInput(channel))
      if (input.type === 'Data') await shell.write(input.bytes);
      else shell.resize(input.cols, input.rows);
  } catch (error) {
    channel.abort((error as Error).message);
  }
}

function end(channel: Channel): void {
  channel.stopReading();
  channel.end();
}
