import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json } from '@corral/contract';
import { ByteReader, type Channel, ChannelClosure } from '@corral/multiplex';
import { JsonReader } from '../../calls/json.ts';

/** A command as it is sent to a device. */
export interface Invocation {
  readonly command: string;
  readonly input: Json;
  readonly timeoutSecs: number | undefined;
}

/** How a command on a device ended: by its own result, or because the channel ended or carried no result. */
export type CommandResult =
  | {
      readonly status: 'Succeeded' | 'Failed';
      readonly output?: Json | undefined;
      readonly error?: string | undefined;
      readonly log: readonly string[];
    }
  | { readonly status: 'Lost'; readonly log: readonly string[] }
  | { readonly status: 'Malformed'; readonly log: readonly string[] };

const maxFrameBytes = 16 * 1024 * 1024;
/** The most that is kept of a log. */
const maxLogBytes = 65_536;
/** The device ends a command that takes too long by itself, and then has so long to say so, in milliseconds. */
const graceMs = 30_000;
/** Of a large frame one turn of the event loop reads so many bytes. */
const sliceBytes = 1024 * 1024;
const decoder = new TextDecoder();

/** Runs a command through a channel to the endpoint `handler`, which ends with it. The log comes while it runs; of both logs the end is kept, and `onLog` gets its lines. The channel is aborted with `signal`. */
export async function runCommand(
  channel: Channel,
  invocation: Invocation,
  onLog?: (line: string) => void,
  signal?: AbortSignal,
): Promise<CommandResult> {
  const log = new LogTail(onLog);
  const { timeoutSecs } = invocation;
  const timer =
    timeoutSecs === undefined
      ? undefined
      : setTimeout(() => channel.abort('the command takes too long'), timeoutSecs * 1000 + graceMs);
  timer?.unref();
  const leave = (): void => channel.abort('nobody waits for the command');
  signal?.addEventListener('abort', leave);
  try {
    await channel.write(frameOf({ type: 'Invoke', streamLog: true, ...invocation }));
    return await readResult(new ByteReader(channel), log);
  } catch (error) {
    if (!(error instanceof ChannelClosure)) throw error;
    return { status: 'Lost', log: log.lines };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    if (!channel.isClosed) channel.abort('the command has ended');
  }
}

function frameOf(message: object): Uint8Array {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

async function readResult(reader: ByteReader, log: LogTail): Promise<CommandResult> {
  for (;;) {
    const message = await readMessage(reader);
    if (message === undefined) return { status: 'Lost', log: log.lines };
    if (message === 'malformed') return { status: 'Malformed', log: log.lines };
    if (message['type'] === 'Log') log.add(message['lines']);
    else if (message['type'] === 'Done') return resultOf(message, log);
    else return { status: 'Malformed', log: log.lines };
  }
}

type Message = Readonly<Record<string, Json | undefined>>;

async function readMessage(reader: ByteReader): Promise<Message | 'malformed' | undefined> {
  const head = await reader.read(4);
  if (head === null) return undefined;
  const sizeBytes = new DataView(head.buffer, head.byteOffset, 4).getUint32(0);
  if (sizeBytes === 0 || sizeBytes > maxFrameBytes) return 'malformed';
  const json = new JsonReader('input', maxFrameBytes);
  const body = await reader.read(sizeBytes);
  if (body === null) return undefined;
  for (let at = 0; at < body.length; at += sliceBytes) {
    if (at > 0) await nextTurn();
    json.push(body.subarray(at, at + sliceBytes));
  }
  try {
    const value = await json.end();
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Message)
      : 'malformed';
  } catch {
    return 'malformed';
  }
}

function resultOf(done: Message, log: LogTail): CommandResult {
  if (log.isEmpty) log.add(done['logTail']);
  const { lines } = log;
  const { status, output, error } = done;
  if (status === 'Ok') return { status: 'Succeeded', output: output ?? undefined, log: lines };
  if (status !== 'Error') return { status: 'Malformed', log: lines };
  return {
    status: 'Failed',
    output: output ?? undefined,
    error: typeof error === 'string' && error !== '' ? error : 'The command failed.',
    log: lines,
  };
}

/** The end of a log, at most 64 KiB. */
class LogTail {
  #lines: string[] = [];
  /** Where what is kept begins; what is before it is dropped when it is half. */
  #start = 0;
  #bytes = 0;
  readonly #onLine: ((line: string) => void) | undefined;

  constructor(onLine?: (line: string) => void) {
    this.#onLine = onLine;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  get lines(): readonly string[] {
    return this.#lines.slice(this.#start);
  }

  add(lines: Json | undefined): void {
    for (const line of Array.isArray(lines) ? lines : []) if (typeof line === 'string') this.#push(line);
  }

  #push(line: string): void {
    this.#onLine?.(line);
    const bytes = Buffer.from(line.replace(/\r?\n$/, ''));
    const kept = bytes.length > maxLogBytes ? decoder.decode(bytes.subarray(-maxLogBytes)) : bytes.toString();
    this.#lines.push(kept);
    this.#bytes += Buffer.byteLength(kept) + 1;
    while (this.#bytes > maxLogBytes && this.#start < this.#lines.length - 1) {
      this.#bytes -= Buffer.byteLength(this.#lines[this.#start] ?? '') + 1;
      this.#start += 1;
    }
    if (this.#start * 2 <= this.#lines.length) return;
    this.#lines = this.#lines.slice(this.#start);
    this.#start = 0;
  }
}
