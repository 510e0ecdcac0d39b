import { setTimeout as delay } from 'node:timers/promises';
import { ByteReader, type Channel } from '@corral/multiplex';
import { frameOf, frameTypes } from '../src/entry/terminal/terminal-frames.ts';

/** A terminal on a device as the test plays it. */
export class PlayedShell {
  readonly channel: Channel;
  readonly endpoint: string;
  /** All that was typed. */
  input = Buffer.alloc(0);
  readonly sizes: string[] = [];
  /** Fulfilled when the hub has ended the channel. */
  readonly ended: Promise<void>;

  constructor(channel: Channel, isReading = true) {
    this.channel = channel;
    this.endpoint = channel.endpoint;
    this.ended = isReading ? this.#read() : channel.closed.then(() => undefined);
  }

  /** Sends output; resolves when the hub has taken it. */
  async say(output: string | Uint8Array): Promise<void> {
    const bytes = Buffer.from(output as string);
    for (let at = 0; at < bytes.length; at += 4_096)
      await this.channel.write(frameOf(frameTypes.data, bytes.subarray(at, at + 4_096)));
  }

  async exit(status: number): Promise<void> {
    const body = Buffer.alloc(4);
    body.writeInt32BE(status);
    await this.channel.write(frameOf(frameTypes.exit, body));
    this.channel.end();
  }

  async #read(): Promise<void> {
    const reader = new ByteReader(this.channel);
    try {
      for (let head = await reader.read(5); head !== null; head = await reader.read(5)) {
        const sizeBytes = new DataView(head.buffer, head.byteOffset, 5).getUint32(0) - 1;
        const body = Buffer.from((await reader.read(sizeBytes)) ?? []);
        if (head[4] === frameTypes.data) this.input = Buffer.concat([this.input, body]);
        else this.sizes.push(`${body.readUInt16BE(0)}x${body.readUInt16BE(2)}`);
      }
    } catch {
      // The channel ended within a frame.
    }
  }
}

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries > 500) throw new Error('It did not become so.');
    await delay(20);
  }
}
