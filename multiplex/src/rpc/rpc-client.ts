import { ByteReader } from '../byte-reader.ts';
import { ChannelClosure } from '../errors.ts';
import { toBytes } from '../text.ts';
import {
  maxRpcBodyBytes,
  maxRpcNameBytes,
  parseJson,
  readUint,
  readWhole,
  type CallChannel,
  type ParseJson,
} from './messages.ts';

/** The other side answered a call with an error; `kind` is as received. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly kind: string;

  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Calls actions over an `executor` channel, one at a time in the order of `invoke`. */
export class RpcClient {
  readonly #channel: CallChannel;
  readonly #reader: ByteReader;
  readonly #parse: ParseJson;
  #last: Promise<void> = Promise.resolve();

  /** `parse` parses the answers; it throws for what is no JSON. */
  constructor(channel: CallChannel, parse: ParseJson = JSON.parse) {
    this.#channel = channel;
    this.#parse = parse;
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
    const output = parseJson(await readWhole(this.#reader, sizeBytes), this.#parse);
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
