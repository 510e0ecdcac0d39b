import { connect, type Socket } from 'node:net';
import { startBytes, startFrames } from './first-generation-channel.ts';
import { frame, helloFrame, tags } from './first-generation-frames.ts';
import { opcodes, type RawMessage, type RawWebSocket } from './raw-web-socket.ts';

interface Stream {
  readonly id: number;
  readonly remoteId: number;
  readonly socket: Socket;
  readonly credit: { frames: number; bytes: number };
  readonly left: { frames: number; bytes: number };
  unsent: Buffer;
  hasEnded: boolean;
  isSending: boolean;
  isReceiving: boolean;
}

/** Counts events in a sliding window of one second. */
class SlidingWindowCounter {
  readonly #times: number[] = [];

  /** Records an event and returns how many there were in the last second. */
  count(): number {
    const nowMs = performance.now();
    while ((this.#times[0] ?? nowMs) < nowMs - 1_000) this.#times.shift();
    return this.#times.push(nowMs);
  }
}

/** The limits of an agent of 2026-08 on one connection. */
const limits = { channels: 32, pending: 32, requests: 64, pings: 8, control: 8_192, unknown: 128 };
/** Executor channels that the agent opened count too. */
const ownChannels = 2;
/** Upper bound of the agent's speed. */
const decideMs = 30;

/** An agent of 2026-08, implemented from the wire protocol's description. It closes the connection when the hub exceeds one of its limits. */
export class LimitedAgent {
  readonly #webSocket: RawWebSocket;
  readonly #streams = new Map<number, Stream>();
  readonly #rates = {
    requests: new SlidingWindowCounter(),
    pings: new SlidingWindowCounter(),
    control: new SlidingWindowCounter(),
    unknown: new SlidingWindowCounter(),
  };
  /** The limit that the hub exceeded; the agent closed the connection because of it. */
  breach: string | undefined;
  /** Number of channels refused because the agent had its maximum open. */
  refusals = 0;
  #pending = 0;
  #lastId = 0;
  #isGreeted = false;
  readonly #port: number;
  readonly #pinging: ReturnType<typeof setInterval>;
  #isPongDue = false;

  /** Connects each channel to `port` of this machine, regardless of the endpoint. */
  constructor(webSocket: RawWebSocket, port: number) {
    this.#webSocket = webSocket;
    this.#port = port;
    webSocket.listen((message) => this.#take(message));
    this.#say(helloFrame());
    this.#pinging = setInterval(() => {
      this.#isPongDue = true;
      this.#say(frame(tags.ping));
    }, 5_000);
    void webSocket.ended.then(() => this.leave());
  }

  /** Drops the connection as a lost network does. */
  leave(): void {
    clearInterval(this.#pinging);
    this.#webSocket.socket.destroy();
    for (const { socket } of this.#streams.values()) socket.destroy();
  }

  #say(bytes: Uint8Array): void {
    if (!this.#webSocket.socket.destroyed) this.#webSocket.send(bytes);
  }

  #failIf(isBroken: boolean, rule: string): void {
    if (!isBroken || this.breach !== undefined) return;
    this.breach = rule;
    this.leave();
  }

  #take({ opcode, payload }: RawMessage): void {
    this.#failIf(opcode !== opcodes.binary, 'no message but binary ones');
    const tag = payload[0];
    this.#failIf((tag === tags.hello) === this.#isGreeted, 'Hello first, and once');
    if (tag === tags.hello) return void (this.#isGreeted = true);
    if (tag === tags.connectionClose) return this.leave();
    if (tag !== tags.data) this.#failIf(this.#rates.control.count() > limits.control, 'control frames');
    if (tag === tags.ping) {
      this.#failIf(this.#rates.pings.count() > limits.pings, 'pings');
      return this.#say(frame(tags.pong));
    }
    if (tag === tags.pong) {
      this.#failIf(!this.#isPongDue, 'Pong without Ping');
      return void (this.#isPongDue = false);
    }
    if (tag === tags.request) return this.#asked(payload);
    const stream = this.#streams.get(Number(payload.readBigUInt64BE(1)));
    if (stream !== undefined) return this.#ofStream(stream, payload);
    this.#failIf(this.#rates.unknown.count() > limits.unknown, 'frames for unknown channels');
  }

  #asked(bytes: Buffer): void {
    this.#failIf(this.#rates.requests.count() > limits.requests, 'channel requests a second');
    this.#failIf(this.#pending >= limits.pending, 'pending requests');
    const remoteId = Number(bytes.readBigUInt64BE(1));
    this.#pending += 1;
    const socket = connect({ port: this.#port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => socket.destroy());
    socket.once('connect', () => setTimeout(() => this.#decide(remoteId, socket), decideMs));
  }

  #decide(remoteId: number, socket: Socket): void {
    this.#pending -= 1;
    if (this.#streams.size + ownChannels < limits.channels) return this.#accept(remoteId, socket);
    this.refusals += 1;
    this.#say(frame(tags.reject, [remoteId], [], 'connection channel limit reached'));
    socket.destroy();
  }

  #accept(remoteId: number, socket: Socket): void {
    const id = (this.#lastId += 1);
    const stream: Stream = {
      id,
      remoteId,
      socket,
      credit: { frames: startFrames, bytes: startBytes },
      left: { frames: startFrames, bytes: startBytes },
      unsent: Buffer.alloc(0),
      hasEnded: false,
      isSending: true,
      isReceiving: true,
    };
    this.#streams.set(id, stream);
    this.#say(frame(tags.accept, [remoteId, id], [startFrames, startBytes]));
    socket.on('data', (bytes: Buffer) => {
      stream.unsent = Buffer.concat([stream.unsent, bytes]);
      this.#send(stream);
    });
    socket.on('end', () => {
      stream.hasEnded = true;
      this.#send(stream);
    });
    socket.on('close', () => this.#endReceiving(stream, true));
  }

  #send(stream: Stream): void {
    const { credit } = stream;
    while (stream.isSending && stream.unsent.length > 0 && credit.frames > 0 && credit.bytes > 0) {
      const part = stream.unsent.subarray(0, credit.bytes);
      stream.unsent = stream.unsent.subarray(part.length);
      credit.frames -= 1;
      credit.bytes -= part.length;
      this.#say(frame(tags.data, [stream.remoteId], [], part));
    }
    if (stream.hasEnded && stream.unsent.length === 0 && stream.isSending) {
      stream.isSending = false;
      this.#say(frame(tags.closed, [stream.remoteId]));
      this.#forgetIfDone(stream);
    }
  }

  #ofStream(stream: Stream, bytes: Buffer): void {
    const [tag] = bytes;
    if (tag === tags.data) return this.#received(stream, bytes.subarray(9));
    if (tag === tags.adjust) {
      const [frames, more] = [bytes.readUInt32BE(9), bytes.readUInt32BE(13)];
      this.#failIf(frames === 0 && more === 0, 'an adjust of nothing');
      stream.credit.frames += frames;
      stream.credit.bytes += more;
      return this.#send(stream);
    }
    if (tag === tags.close) {
      stream.isSending = false;
      this.#forgetIfDone(stream);
    } else if (tag === tags.closed) {
      stream.socket.end();
      this.#endReceiving(stream, false);
    }
  }

  #received(stream: Stream, payload: Buffer): void {
    const { left } = stream;
    left.frames -= 1;
    left.bytes -= payload.length;
    this.#failIf(left.frames < 0 || left.bytes < 0, 'the window');
    stream.socket.write(payload, () => {
      if (!stream.isReceiving || (2 * left.frames >= startFrames && 2 * left.bytes >= startBytes)) return;
      this.#say(frame(tags.adjust, [stream.remoteId], [startFrames - left.frames, startBytes - left.bytes]));
      Object.assign(left, { frames: startFrames, bytes: startBytes });
    });
  }

  #endReceiving(stream: Stream, isOurs: boolean): void {
    if (!stream.isReceiving) return;
    stream.isReceiving = false;
    if (isOurs) this.#say(frame(tags.close, [stream.remoteId]));
    this.#forgetIfDone(stream);
  }

  #forgetIfDone(stream: Stream): void {
    if (stream.isSending || stream.isReceiving) return;
    this.#streams.delete(stream.id);
    stream.socket.destroySoon();
  }
}
