import { ByteReader, type Channel } from '@corral/multiplex';
import { vi } from 'vitest';

/** The hub's end of a terminal, which collects what the device sends. */
export class TerminalClient {
  readonly channel: Channel;
  output = Buffer.alloc(0);
  /** Frames of data that were longer than a device may send. */
  tooLong = 0;
  /** The exit status; undefined if the channel ended without one. */
  readonly exit: Promise<number | undefined>;

  constructor(channel: Channel) {
    this.channel = channel;
    this.exit = this.#read();
  }

  /** Types a text. */
  type(text: string): Promise<void> {
    return this.send(0, Buffer.from(text));
  }

  /** Sends a new size. */
  resize(cols: number, rows: number): Promise<void> {
    const body = Buffer.alloc(4);
    body.writeUInt16BE(cols);
    body.writeUInt16BE(rows, 2);
    return this.send(1, body);
  }

  /** Sends a frame of any type, with any announced length. */
  async send(type: number, body: Buffer, sizeBytes = body.length + 1): Promise<void> {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(sizeBytes);
    head.writeUInt8(type, 4);
    await this.channel.write(Buffer.concat([head, body]));
  }

  /** Waits until the output matches. */
  says(pattern: RegExp): Promise<void> {
    return vi.waitFor(() => {
      const text = this.output.toString();
      if (!pattern.test(text)) throw new Error(`not said ${pattern}: ${JSON.stringify(text.slice(-2_000))}`);
    });
  }

  async #read(): Promise<number | undefined> {
    const reader = new ByteReader(this.channel);
    for (;;) {
      const head = await reader.read(5);
      if (head === null) return undefined;
      const view = new DataView(head.buffer, head.byteOffset, 5);
      const body = Buffer.from((await reader.read(view.getUint32(0) - 1)) ?? []);
      if (view.getUint8(4) === 2) return body.readInt32BE();
      if (body.length > 4_096) this.tooLong += 1;
      this.output = Buffer.concat([this.output, body]);
    }
  }
}
