import type { ByteReader } from '../byte-reader.ts';
import type { Channel } from '../channel.ts';
import { ChannelClosure } from '../errors.ts';
import { toText } from '../text.ts';

/** Longest action name, in bytes of UTF-8. */
export const maxRpcNameBytes = 255;
/** Longest input and longest output, in bytes of UTF-8. */
export const maxRpcBodyBytes = 8_388_608;

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

/** Reads exactly so many bytes. Rejects with ChannelClosure when the channel ends before. */
export async function readWhole(reader: ByteReader, sizeBytes: number): Promise<Uint8Array> {
  const bytes = await reader.read(sizeBytes);
  if (bytes === null) throw new ChannelClosure('the stream ended within a message');
  return bytes;
}

/** The unsigned integer of big-endian bytes. */
export function readUint(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}

/** Parses a JSON text; throws for what is none. */
export type ParseJson = (text: string) => unknown;

/** Parses the JSON of an input or output; never throws. */
export function parseJson(bytes: Uint8Array, parse: ParseJson = JSON.parse): RpcInput {
  const text = toText(bytes);
  if (text === undefined) return { isJson: false, problem: 'The input is not UTF-8.' };
  try {
    return { isJson: true, value: parse(text) };
  } catch {
    return { isJson: false, problem: 'The input is not valid JSON.' };
  }
}
