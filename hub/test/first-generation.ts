import { connect as connectPort, type Socket } from 'node:net';
import { OldChannel, callOn, startBytes, startFrames } from './first-generation-channel.ts';
import { frame, helloFrame, tags } from './first-generation-frames.ts';
import { opcodes, type RawMessage, type RawWebSocket } from './raw-web-socket.ts';

/** Options of a first-generation peer. */
export interface FirstGenerationOptions {
  /** Maps the port that the hub requests to the port that the agent connects to. */
  readonly ports?: ReadonlyMap<number, number>;
  /** Runs between two reads of forwarded data; delays here make a slow reader. */
  readonly betweenReads?: () => Promise<void> | void;
  /** It pings at its start and then never, instead of every 5 s, so that a test may count its Pongs. */
  readonly pingsOnce?: boolean;
}

/** An agent or a command line of 2025-09, implemented from the wire protocol's description without our multiplex code. */
export class FirstGeneration {
  readonly webSocket: RawWebSocket;
  /** The frames received, in order. */
  readonly frames: Buffer[] = [];
  /** The reason of the hub's Close frame. */
  connectionClose: string | undefined;
  /** The channel endpoints that the hub requested. */
  readonly endpoints: string[] = [];
  /** Bytes that all channels dropped because of the old clients' defect. */
  droppedBytes = 0;
  roundTripMs = 0;
  #pingedAtMs: number | undefined;
  #isSilent = false;
  #lastId = 0;
  readonly #channels = new Map<number, OldChannel>();
  readonly #answers = new Map<number, PromiseWithResolvers<OldChannel>>();
  readonly #options: FirstGenerationOptions;
  readonly #pinging: ReturnType<typeof setInterval> | undefined;
  #changed = Promise.withResolvers<void>();

  /** Sends Hello and Ping without waiting for an answer. */
  constructor(webSocket: RawWebSocket, options: FirstGenerationOptions = {}) {
    this.webSocket = webSocket;
    this.#options = options;
    webSocket.listen((message) => this.#message(message));
    this.send(helloFrame());
    this.ping();
    if (options.pingsOnce !== true) this.#pinging = setInterval(() => this.ping(), 5_000);
    void webSocket.ended.then(() => this.leave());
  }

  /** Sends one frame. */
  send(bytes: Uint8Array): void {
    if (!this.#isSilent && !this.webSocket.socket.writableEnded) this.webSocket.send(bytes);
  }

  /** Sends no frame any more, and answers no Ping of the hub. */
  fallSilent(): void {
    this.#isSilent = true;
  }

  /** Pings, unless a Pong is still missing. */
  ping(): void {
    if (this.#pingedAtMs !== undefined) return;
    this.#pingedAtMs = performance.now();
    this.send(frame(tags.ping));
  }

  /** Ends the TCP connection without a Close frame, as the old clients do. */
  leave(): void {
    clearInterval(this.#pinging);
    for (const channel of this.#channels.values()) {
      channel.peerDone();
      channel.peerStoppedReading();
    }
    this.webSocket.socket.end();
  }

  /** Resolves with the first frame that has this tag. */
  async frameOf(tag: number): Promise<Buffer> {
    for (;;) {
      const found = this.frames.find((bytes) => bytes[0] === tag);
      if (found !== undefined) return found;
      if (this.webSocket.isEnded) throw new Error(`the hub ended before ${tag} came`);
      await Promise.race([this.#changed.promise, this.webSocket.ended]);
    }
  }

  /** Opens a channel; rejects with the hub's reason. */
  open(endpoint: string): Promise<OldChannel> {
    const id = (this.#lastId += 1);
    const answer = Promise.withResolvers<OldChannel>();
    this.#answers.set(id, answer);
    this.#channels.set(id, new OldChannel(this));
    this.send(frame(tags.request, [id], [startFrames, startBytes], endpoint));
    return answer.promise;
  }

  /** Calls an action on a new channel and returns the envelope unchanged. */
  async call(name: string, input: unknown): Promise<Record<string, unknown>> {
    const channel = await this.open('executor');
    const envelope = await callOn(channel, name, input);
    channel.end();
    channel.stopReading();
    return envelope;
  }

  #message({ opcode, payload }: RawMessage): void {
    if (opcode !== opcodes.binary) return;
    this.frames.push(payload[0] === tags.data ? payload.subarray(0, 9) : payload);
    this.#take(payload);
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }

  #take(bytes: Buffer): void {
    const tag = bytes[0];
    if (tag === tags.ping) return this.send(frame(tags.pong));
    if (tag === tags.pong) return this.#ponged();
    if (tag === tags.connectionClose) {
      this.connectionClose = bytes.subarray(1).toString();
      return this.leave();
    }
    if (tag === tags.request) return this.#asked(bytes);
    if (tag !== tags.hello) this.#ofChannel(bytes, Number(bytes.readBigUInt64BE(1)));
  }

  #ponged(): void {
    const sampleMs = performance.now() - (this.#pingedAtMs ?? 0);
    this.roundTripMs = this.roundTripMs === 0 ? sampleMs : (7 * this.roundTripMs + sampleMs) / 8;
    this.#pingedAtMs = undefined;
  }

  #ofChannel(bytes: Buffer, id: number): void {
    const channel = this.#channels.get(id);
    if (channel === undefined) return;
    if (bytes[0] === tags.accept) {
      channel.remoteId = Number(bytes.readBigUInt64BE(9));
      this.#answers.get(id)?.resolve(channel);
    } else if (bytes[0] === tags.reject) this.#answers.get(id)?.reject(new Error(bytes.toString('utf8', 9)));
    else if (bytes[0] === tags.data) channel.received(bytes.subarray(9));
    else if (bytes[0] === tags.adjust) channel.credited(bytes.readUInt32BE(9), bytes.readUInt32BE(13));
    else if (bytes[0] === tags.close) channel.peerStoppedReading();
    else if (bytes[0] === tags.closed) {
      channel.peerDone();
      this.droppedBytes += channel.droppedBytes;
    }
  }

  /** An agent accepts the channel before it connects to the port. Other endpoints end its process. */
  #asked(bytes: Buffer): void {
    const endpoint = bytes.toString('utf8', 17);
    this.endpoints.push(endpoint);
    const remoteId = Number(bytes.readBigUInt64BE(1));
    if (this.#options.ports === undefined) return this.send(frame(tags.reject, [remoteId]));
    const [, digits] = /^forward\/tcp\/(\d+)$/.exec(endpoint) ?? [];
    if (digits === undefined || Number(digits) > 65_535) return this.webSocket.socket.destroy() && undefined;
    const channel = new OldChannel(this);
    channel.remoteId = remoteId;
    const id = (this.#lastId += 1);
    this.#channels.set(id, channel);
    this.send(frame(tags.accept, [remoteId, id], [startFrames, startBytes]));
    const port = this.#options.ports.get(Number(digits)) ?? Number(digits);
    void serveChannel(channel, port, this.#options.betweenReads);
  }
}

async function serveChannel(
  channel: OldChannel,
  port: number,
  betweenReads: FirstGenerationOptions['betweenReads'],
): Promise<void> {
  const socket = connectPort({ port, host: '127.0.0.1', allowHalfOpen: true });
  const connected = await new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  if (connected === true) {
    socket.on('error', () => socket.destroy());
    await Promise.all([toPort(channel, socket, betweenReads), fromPort(channel, socket)]);
  } else channel.end();
  channel.stopReading();
}

async function toPort(
  channel: OldChannel,
  socket: Socket,
  betweenReads: FirstGenerationOptions['betweenReads'],
): Promise<void> {
  for (let bytes = await channel.read(); bytes !== null; bytes = await channel.read()) {
    await new Promise((resolve) => socket.write(bytes as Buffer, resolve));
    await betweenReads?.();
  }
  socket.end();
}

async function fromPort(channel: OldChannel, socket: Socket): Promise<void> {
  // Reading to the end must not end what is still being written.
  const parts = socket.iterator({ destroyOnReturn: false });
  for await (const bytes of parts) if (!(await channel.write(bytes as Buffer))) break;
  channel.end();
}
