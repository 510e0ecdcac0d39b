import { ByteReader } from '../byte-reader.ts';
import { ChannelClosure } from '../errors.ts';
import { toBytes, toReadableText } from '../text.ts';
import {
  maxRpcBodyBytes,
  maxRpcNameBytes,
  parseJson,
  readUint,
  readWhole,
  type CallChannel,
  type RpcErrorKind,
  type RpcInput,
  type RpcOutput,
} from './messages.ts';

/** An input is handed on in pieces of this size; a response up to this size is one write. */
const maxPieceBytes = 65_536;

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
  /** Called with the name of each call; its input is read when the promise is fulfilled. Undefined when nothing has to wait. */
  readonly beforeInput?: (name: string) => Promise<void> | undefined;
  /** Opens the reader of one input; by default the whole input is buffered and then parsed. */
  readonly openReader?: (name: string, inputBytes: number) => InputReader;
  /** Reserves memory for an input of this many bytes; nothing of it is read before. Undefined when no reservation is needed. */
  readonly reserveInput?: (inputBytes: number, name: string) => Promise<InputReservation> | undefined;
  /** Called when the channel has taken the whole answer to a call, or the call has failed before that. */
  readonly onAnswered?: () => void;
}

/** Answers the calls on an `executor` channel one by one until the peer ends it; a length beyond the limits aborts it. Never rejected. */
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

/** Serves one call; a separate function, so that its variables are freed while the channel waits for the next call. */
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

/** Frees the input when it returns, because sending the answer may take long. */
async function answerCall(
  { name, inputBytes }: CallHead,
  reader: ByteReader,
  execute: RpcExecute,
  { beforeInput, reserveInput, openReader }: RpcServing,
): Promise<readonly Uint8Array[]> {
  await beforeInput?.(name);
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

/** Buffers a whole input and parses it. */
class WholeInput implements InputReader {
  #pieces: Uint8Array[] = [];

  push(bytes: Uint8Array): void {
    this.#pieces.push(bytes.slice());
  }

  async end(): Promise<RpcInput> {
    const bytes = joined(this.#pieces);
    this.#pieces = [];
    return parseJson(bytes);
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
