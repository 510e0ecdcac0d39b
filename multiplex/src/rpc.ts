import { ByteReader } from './byte-reader.ts';
import type { Channel } from './channel.ts';
import { ChannelClosure } from './errors.ts';
import { toBytes, toReadableText, toText } from './text.ts';

/** Longest action name, in bytes of UTF-8. */
export const maxRpcNameBytes = 255;
/** Longest input and longest output, in bytes of UTF-8. */
export const maxRpcBodyBytes = 8_388_608;
/** An input is handed on in pieces of this size; a response up to this size is one write. */
const maxPieceBytes = 65_536;

/** Why a call failed; `RateLimited` only for callers that know it: peers of the first generation do not. */
export type RpcErrorKind = 'Invalid' | 'Forbidden' | 'Internal' | 'RateLimited';

/** The answer to a call as it is sent: two fields, never a third. A large value comes as its JSON in several pieces, which are sent as they are. */
export type RpcOutput =
  | { result: 'Ok'; value: unknown }
  | { result: 'Ok'; json: readonly Uint8Array[] }
  | { result: 'Error'; error: { kind: RpcErrorKind; message: string } };

/** The input of a call: its JSON value, or a sentence that says why it is not JSON, to be answered as Invalid. */
export type RpcInput =
  | { readonly isJson: true; readonly value: unknown }
  | { readonly isJson: false; readonly problem: string };

/** The parts of a channel that calls use. */
export type CallChannel = Pick<Channel, 'read' | 'write' | 'end' | 'abort' | 'closed'>;

/** Executes a call; a rejection is answered as Internal, without its message. */
export type RpcExecute = (name: string, input: RpcInput) => Promise<RpcOutput>;

/** Memory reserved for one input. */
export interface InputReservation {
  /** The whole input has arrived. */
  arrived(): void;
  /** Ends the reservation. Called once, whether or not the input has arrived. */
  free(): void;
}

/** Receives one input piece by piece as it arrives, and decides what it keeps of it. */
export interface InputReader {
  /** Takes the next bytes; they are only valid during the call. Must not throw. */
  push(bytes: Uint8Array): void;
  /** The input, once all of it has arrived. */
  end(): Promise<RpcInput>;
}

/** Options of serveRpc. */
export interface RpcServing {
  /** Opens the reader of one input; by default the whole input is buffered and then parsed. */
  readonly openReader?: (name: string, inputBytes: number) => InputReader;
  /** Reserves memory for an input of this many bytes; nothing of it is read before. Undefined when no reservation is needed. */
  readonly reserveInput?: (inputBytes: number, name: string) => Promise<InputReservation> | undefined;
  /** Called when the channel has taken the whole answer to a call, or the call has failed before that. */
  readonly onAnswered?: () => void;
}

/** The other side answered a call with an error; `kind` is as received. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly kind: string;

  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Answers the calls on an `executor` channel one after the other, until the peer ends it. A length beyond the limits
 * aborts the channel. Never rejected.
 */
export async function serveRpc(
  channel: CallChannel,
  execute: RpcExecute,
  serving: RpcServing = {},
): Promise<void> {
  const reader = new ByteReader(channel);
  try {
    while (await serveCall(channel, reader, execute, serving)) continue;
    channel.end();
  } catch (error) {
    channel.abort(error instanceof ChannelClosure ? error.message : 'internal error');
  }
}

/** Serves one call. It is a separate function, so that its variables are freed while the channel waits for the next call. */
async function serveCall(
  channel: CallChannel,
  reader: ByteReader,
  execute: RpcExecute,
  serving: RpcServing,
): Promise<boolean> {
  const nameHeader = await reader.read(2);
  if (nameHeader === null) return false;
  const head = await readHead(nameHeader, reader);
  try {
    const pieces = framed(await answerCall(head, reader, execute, serving));
    await Promise.all(pieces.map((piece) => channel.write(piece)));
    return true;
  } finally {
    serving.onAnswered?.();
  }
}

interface CallHead {
  readonly name: string;
  readonly inputBytes: number;
}

async function readHead(nameHeader: Uint8Array, reader: ByteReader): Promise<CallHead> {
  const nameBytes = readUint(nameHeader);
  if (nameBytes > maxRpcNameBytes) throw new ChannelClosure('the action name is longer than 255 bytes');
  const name = toReadableText(await readWhole(reader, nameBytes));
  const inputBytes = readUint(await readWhole(reader, 4));
  if (inputBytes > maxRpcBodyBytes) throw new ChannelClosure('the input is larger than 8 MiB');
  return { name, inputBytes };
}

/** Frees the input on return, before the answer is sent, which may take long. */
async function answerCall(
  { name, inputBytes }: CallHead,
  reader: ByteReader,
  execute: RpcExecute,
  { reserveInput, openReader }: RpcServing,
): Promise<readonly Uint8Array[]> {
  const reservation = await reserveInput?.(inputBytes, name);
  try {
    const input = openReader?.(name, inputBytes) ?? new WholeInput();
    for (let left = inputBytes; left > 0; left -= maxPieceBytes)
      input.push(await readWhole(reader, Math.min(left, maxPieceBytes)));
    reservation?.arrived();
    return await answer(execute, name, await input.end());
  } finally {
    reservation?.free();
  }
}

async function readWhole(reader: ByteReader, sizeBytes: number): Promise<Uint8Array> {
  const bytes = await reader.read(sizeBytes);
  if (bytes === null) throw new ChannelClosure('the stream ended within a message');
  return bytes;
}

function readUint(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

/** Buffers a whole input and parses it. */
class WholeInput implements InputReader {
  #pieces: Uint8Array[] = [];

  push(bytes: Uint8Array): void {
    this.#pieces.push(bytes.slice());
  }

  async end(): Promise<RpcInput> {
    const bytes = joined(this.#pieces);
    this.#pieces = [];
    return parseInput(bytes);
  }
}

function parseInput(bytes: Uint8Array): RpcInput {
  const text = toText(bytes);
  if (text === undefined) return { isJson: false, problem: 'The input is not UTF-8.' };
  try {
    return { isJson: true, value: JSON.parse(text) };
  } catch {
    return { isJson: false, problem: 'The input is not valid JSON.' };
  }
}

async function answer(execute: RpcExecute, name: string, input: RpcInput): Promise<readonly Uint8Array[]> {
  try {
    const output = encodeOutput(await execute(name, input));
    if (sizeOf(output) <= maxRpcBodyBytes) return output;
    return [toBytes(encodeInternal('The output is larger than 8 MiB.'))];
  } catch {
    return [toBytes(encodeInternal('internal error'))];
  }
}

/** Copies the fields, so that an extra one never reaches a strict decoder. */
function encodeOutput(output: RpcOutput): readonly Uint8Array[] {
  if ('json' in output) return [toBytes('{"result":"Ok","value":'), ...output.json, toBytes('}')];
  if (output.result === 'Ok') return [toBytes(JSON.stringify({ result: 'Ok', value: output.value ?? null }))];
  return [toBytes(encodeError(output.error))];
}

function encodeError({ kind, message }: { kind: RpcErrorKind; message: string }): string {
  return JSON.stringify({ result: 'Error', error: { kind, message } });
}

function encodeInternal(message: string): string {
  return encodeError({ kind: 'Internal', message });
}

/** A response as the writes that send it; a small one is one write. */
function framed(body: readonly Uint8Array[]): readonly Uint8Array[] {
  const sizeBytes = sizeOf(body);
  const header = new Uint8Array(4);
  new DataView(header.buffer).setUint32(0, sizeBytes);
  const pieces = [header, ...body];
  return sizeBytes > maxPieceBytes ? pieces : [joined(pieces)];
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((size, { length }) => size + length, 0);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(sizeOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Calls actions over an `executor` channel, one at a time in the order of `invoke`. */
export class RpcClient {
  readonly #channel: CallChannel;
  readonly #reader: ByteReader;
  #last: Promise<void> = Promise.resolve();

  constructor(channel: CallChannel) {
    this.#channel = channel;
    this.#reader = new ByteReader(channel);
  }

  /**
   * The value of the answer. Rejected with RpcError when the other side answers so, with RpcError Invalid when name or
   * input are too long or no JSON, and with ChannelClosure when the channel ends first or the answer is malformed.
   */
  invoke(name: string, input: unknown): Promise<unknown> {
    const call = this.#last.then(() => this.#call(name, input));
    const ignore = (): void => {};
    this.#last = call.then(ignore, ignore);
    return call;
  }

  /** Ends the channel after the last call. */
  close(): void {
    void this.#last.then(() => this.#channel.end());
  }

  async #call(name: string, input: unknown): Promise<unknown> {
    const request = encodeCall(name, input);
    await this.#channel.write(request);
    try {
      return unwrap(await this.#readOutput());
    } catch (error) {
      if (error instanceof ChannelClosure) this.#channel.abort(error.message);
      throw error;
    }
  }

  async #readOutput(): Promise<unknown> {
    const sizeBytes = readUint(await readWhole(this.#reader, 4));
    if (sizeBytes > maxRpcBodyBytes) throw new ChannelClosure('the output is larger than 8 MiB');
    const output = parseInput(await readWhole(this.#reader, sizeBytes));
    if (!output.isJson) throw new ChannelClosure('the output is malformed');
    return output.value;
  }
}

function encodeCall(name: string, input: unknown): Uint8Array {
  const nameBytes = toBytes(name);
  if (nameBytes.length > maxRpcNameBytes) throw new RpcError('Invalid', 'The action name is too long.');
  const body = toBytes(encodeInput(input));
  if (body.length > maxRpcBodyBytes) throw new RpcError('Invalid', 'The input is larger than 8 MiB.');
  const bytes = new Uint8Array(6 + nameBytes.length + body.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, nameBytes.length);
  bytes.set(nameBytes, 2);
  view.setUint32(2 + nameBytes.length, body.length);
  bytes.set(body, 6 + nameBytes.length);
  return bytes;
}

function encodeInput(input: unknown): string {
  try {
    return JSON.stringify(input ?? {});
  } catch {
    throw new RpcError('Invalid', 'The input cannot be written as JSON.');
  }
}

function unwrap(output: unknown): unknown {
  const envelope = output as Partial<{ result: unknown; value: unknown; error: unknown }> | null;
  if (envelope?.result === 'Ok') return envelope.value;
  const error = envelope?.error as Partial<{ kind: unknown; message: unknown }> | null | undefined;
  if (envelope?.result === 'Error' && typeof error?.kind === 'string' && typeof error.message === 'string') {
    throw new RpcError(error.kind, error.message);
  }
  throw new ChannelClosure('the output is malformed');
}
