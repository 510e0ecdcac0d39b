import { parseExactJson, type Json } from '@corral/contract';
import { ByteReader, type Channel, type ChannelRequest } from '@corral/multiplex';
import { isTable } from '../config-file.ts';
import type { Log } from '../log.ts';
import type { RunCommand } from './run-command.ts';

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
  readonly #run: RunCommand;
  readonly #maxAtOnce: number;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  #running = 0;

  constructor(run: RunCommand, maxAtOnce: number, log: Pick<Log, 'info' | 'warn'>) {
    this.#run = run;
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
    const { streamLog, ...call } = invoke;
    const ended = new AbortController();
    void channel.closed.then(() => ended.abort());
    const onLog = (lines: string[]): Promise<void> => send(channel, { type: 'Log', lines });
    const { isStopped: _isStopped, ...result } = await this.#run({
      ...call,
      signal: ended.signal,
      ...(streamLog ? { onLog } : {}),
    });
    this.#log.info(`the command ${call.command} ended: ${result.error ?? 'done'} (${result.durationMs} ms)`);
    if (!channel.isClosed) await send(channel, { type: 'Done', ...result });
  }
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
