import { ByteReader, type Channel, ChannelClosure } from '@corral/multiplex';
import type { PortListener, TerminalPort } from './TerminalPort.ts';

const kinds = { frame: 0, text: 1 } as const;
const headBytes = 5;
/** A message of a client is at most one frame. */
const maxMessageBytes = 1_048_581;

/** The client of a terminal at another node: its messages go through a channel between the nodes as `u32 length · u8 kind · message`. */
export class ChannelPort implements TerminalPort {
  readonly #channel: Channel;
  readonly #reader: ByteReader;
  #waitingBytes = 0;
  #listener: PortListener | undefined;

  constructor(channel: Channel) {
    this.#channel = channel;
    this.#reader = new ByteReader(channel);
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  attach(listener: PortListener): void {
    this.#listener = listener;
    void this.#read(listener).finally(() => listener.onClosed());
  }

  send(message: Uint8Array | string): void {
    const body = Buffer.from(message as Uint8Array);
    const head = Buffer.alloc(headBytes);
    head.writeUInt32BE(body.length);
    head[4] = typeof message === 'string' ? kinds.text : kinds.frame;
    const whole = Buffer.concat([head, body]);
    this.#waitingBytes += whole.length;
    const sent = (): void => {
      this.#waitingBytes -= whole.length;
      this.#listener?.onDrain();
    };
    this.#channel.write(whole).then(sent, sent);
  }

  close(violation?: string): void {
    if (violation !== undefined) this.send(JSON.stringify({ type: 'Violation', reason: violation }));
    this.#channel.end();
    this.#channel.stopReading();
  }

  /** Reads the first message, before there is a listener; undefined where there is none. */
  async first(): Promise<string | undefined> {
    const message = await this.#next().catch(() => undefined);
    return typeof message === 'string' ? message : undefined;
  }

  async #read(listener: PortListener): Promise<void> {
    try {
      for (;;) {
        const message = await this.#next();
        if (message === undefined) return;
        await (typeof message === 'string' ? listener.onText(message) : listener.onFrame(message));
      }
    } catch (error) {
      if (!(error instanceof ChannelClosure)) throw error;
    }
  }

  async #next(): Promise<Uint8Array | string | undefined> {
    const head = await this.#reader.read(headBytes);
    if (head === null) return undefined;
    const sizeBytes = new DataView(head.buffer, head.byteOffset, headBytes).getUint32(0);
    if (sizeBytes > maxMessageBytes) return undefined;
    const kind = head[4];
    if (sizeBytes === 0) return '';
    const body = await this.#reader.read(sizeBytes);
    if (body === null) return undefined;
    return kind === kinds.text ? Buffer.from(body).toString() : body;
  }
}
