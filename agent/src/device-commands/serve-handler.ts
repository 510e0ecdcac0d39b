import { parseExactJson, type Json } from '@corral/contract';
import { ByteReader, type Channel, type ChannelRequest } from '@corral/multiplex';
import { isTable } from '../config-file.ts';
import type { Log } from '../log.ts';
import type { OfferedCommands } from './read-commands.ts';
import { runCommand, type CommandResult } from './run-command.ts';

/** The endpoint by which the hub has a command run. */
export const handlerEndpoint = 'handler';

const maxFrameBytes = 16 * 1_048_576;
const invokeWithinMs = 60_000;

/** What the hub asks for. */
interface Invoke {
  readonly command: string;
  readonly input: Json;
  readonly streamLog: boolean;
  readonly timeoutSecs: number | undefined;
}

/** Runs the commands that the hub asks for through channels, so many at a time; the next channel is rejected. */
export class HandlerServer {
  readonly #commands: OfferedCommands;
  readonly #maxAtOnce: number;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  #running = 0;

  constructor(commands: OfferedCommands, maxAtOnce: number, log: Pick<Log, 'info' | 'warn'>) {
    this.#commands = commands;
    this.#maxAtOnce = maxAtOnce;
    this.#log = log;
  }

  /** Serves a channel to `handlerEndpoint`. */
  serve(request: ChannelRequest): void {
    if (this.#running >= this.#maxAtOnce)
      return request.reject(`this device runs ${this.#maxAtOnce} commands already`);
    this.#running += 1;
    const channel = request.accept();
    this.#serve(channel)
      .catch((error: Error) => this.#log.warn(`a command channel ended: ${error.message}`))
      .finally(() => {
        channel.stopReading();
        channel.end();
        this.#running -= 1;
      });
  }

  async #serve(channel: Channel): Promise<void> {
    const invoke = await readInvoke(channel);
    if (invoke === undefined) return;
    const { command, streamLog } = invoke;
    const ended = new AbortController();
    void channel.closed.then(() => ended.abort());
    const onLog = (lines: string[]): Promise<void> => send(channel, { type: 'Log', lines });
    const result = await this.#run(invoke, ended.signal, streamLog ? onLog : undefined);
    this.#log.info(`the command ${command} ended: ${result.error ?? 'done'} (${result.durationMs} ms)`);
    if (!channel.isClosed) await send(channel, { type: 'Done', ...result });
  }

  async #run(
    { command: name, input, timeoutSecs }: Invoke,
    signal: AbortSignal,
    onLog: ((lines: string[]) => Promise<void>) | undefined,
  ): Promise<CommandResult> {
    const command = this.#commands.get(name);
    if (command === undefined) return unknownCommand(name);
    return runCommand({ command, input, timeoutSecs, signal, ...(onLog === undefined ? {} : { onLog }) });
  }
}

/** The result of a command that this device does not offer. */
export function unknownCommand(name: string): CommandResult {
  const error = `This device offers no command ${JSON.stringify(name)}.`;
  return { status: 'Error', error, logTail: [], durationMs: 0 };
}

async function readInvoke(channel: Channel): Promise<Invoke | undefined> {
  const tooLate = setTimeout(() => channel.abort('no command came'), invokeWithinMs);
  const reader = new ByteReader(channel);
  try {
    const head = await reader.read(4);
    if (head === null) return undefined;
    const bytes = new DataView(head.buffer, head.byteOffset, 4).getUint32(0);
    if (bytes > maxFrameBytes) return undefined;
    const body = await reader.read(bytes);
    return body === null ? undefined : invokeOf(parseExactJson(Buffer.from(body).toString('utf8')));
  } catch {
    // Within a frame the stream ended, or it is no JSON.
    return undefined;
  } finally {
    clearTimeout(tooLate);
  }
}

function invokeOf(message: unknown): Invoke | undefined {
  if (!isTable(message) || message['type'] !== 'Invoke' || !Object.hasOwn(message, 'input')) return undefined;
  const { command, input, streamLog = false, timeoutSecs } = message;
  if (typeof command !== 'string' || typeof streamLog !== 'boolean') return undefined;
  const hasLimit = timeoutSecs !== undefined && timeoutSecs !== null;
  if (hasLimit && (!Number.isInteger(timeoutSecs) || (timeoutSecs as number) < 0)) return undefined;
  return {
    command,
    input: input as Json,
    streamLog,
    timeoutSecs: hasLimit ? (timeoutSecs as number) : undefined,
  };
}

async function send(channel: Channel, message: unknown): Promise<void> {
  const body = Buffer.from(JSON.stringify(message));
  const frame = Buffer.allocUnsafe(4 + body.length);
  frame.writeUInt32BE(body.length);
  body.copy(frame, 4);
  await channel.write(frame);
}
