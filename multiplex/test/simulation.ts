import { MultiplexConnection } from '../src/connection.ts';
import type { Channel } from '../src/channel.ts';
import type { ChannelRequest, ConnectionOptions } from '../src/connection-options.ts';
import { decodeFrame, encodeFrame } from '../src/frame.ts';
import type { Frame } from '../src/frame.ts';
import { toBytes, toReadableText } from '../src/text.ts';
import { MemoryScheduler, MemoryTransport } from '../src/transports/memory.ts';

/** Waits for one turn of the event loop, so that all pending promise callbacks run. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A scripted peer: it sends exactly the given frames to the connection under test. */
class RawPeer {
  readonly #transport: MemoryTransport;
  /** Everything received, in order. */
  frames: Frame[] = [];
  /** Whether the transport has ended. */
  isEnded = false;
  /** Called for each received frame. */
  onFrame: ((frame: Frame) => void) | undefined;

  constructor(transport: MemoryTransport) {
    this.#transport = transport;
    transport.attach({
      acceptsParts: () => false,
      onMessage: (bytes) => this.#received(decodeFrame(bytes)),
      onPart: () => {},
      onIgnored: () => {},
      onDrain: () => {},
      onViolation: () => {},
      onEnd: () => {
        this.isEnded = true;
      },
    });
  }

  #received(frame: Frame): void {
    this.frames.push(frame);
    this.onFrame?.(frame);
  }

  /** Sends frames, or bytes that are no valid frame. */
  send(...frames: (Frame | Uint8Array)[]): void {
    for (const frame of frames) {
      this.#transport.send(frame instanceof Uint8Array ? frame : encodeFrame(frame));
    }
  }

  /** Ends the transport without a Close frame. */
  end(): void {
    this.#transport.end();
  }

  /** The received frames of one kind. */
  all<Kind extends Frame['kind']>(kind: Kind): Extract<Frame, { kind: Kind }>[] {
    return this.frames.filter((frame) => frame.kind === kind) as Extract<Frame, { kind: Kind }>[];
  }

  /** The reason of the Close frame, undefined when none came. */
  get closeReason(): string | undefined {
    const close = this.all('Close')[0];
    return close && toReadableText(close.reason);
  }
}

/** A Hello without info. */
export const hello: Frame = { kind: 'Hello', info: new Uint8Array(0) };

/** A request for a channel with the usual credit. */
export function requestFrame(senderId: number, endpoint = 'executor'): Frame {
  const bytes = new TextEncoder().encode(endpoint);
  return { kind: 'ChannelRequest', senderId, frameCredit: 128, byteCredit: 16_384, endpoint: bytes };
}

/** An acceptance with the usual credit. */
export function acceptFrame(receiverId: number, senderId: number): Frame {
  return { kind: 'ChannelAccept', receiverId, senderId, frameCredit: 128, byteCredit: 16_384 };
}

/** A data frame with a payload of this size. */
export function dataFrame(receiverId: number, sizeBytes: number): Frame {
  return { kind: 'ChannelData', receiverId, payload: new Uint8Array(sizeBytes).fill(7) };
}

/** A connection with a raw peer behind a memory transport that takes `delayMs` each way and brings data in parts of `partBytes`. */
export function simulate(
  options: Partial<ConnectionOptions> & { delayMs?: number; partBytes?: number } = {},
) {
  const { delayMs = 1, partBytes = Infinity, ...rest } = options;
  const scheduler = new MemoryScheduler(settle);
  const [near, far] = MemoryTransport.pair({ scheduler, delayMs: () => delayMs, partBytes: () => partBytes });
  const peer = new RawPeer(far);
  const now = (): number => scheduler.nowMs;
  const connection = new MultiplexConnection({ transport: near, now, ...rest });
  /** Advances the time and ticks the connection every second. */
  const advance = async (durationMs: number): Promise<void> => {
    for (let leftMs = durationMs; leftMs > 0; leftMs -= 1_000) {
      await scheduler.advance(Math.min(leftMs, 1_000));
      if (leftMs >= 1_000) connection.tick();
    }
    await scheduler.advance(0);
  };
  return { scheduler, near, far, peer, connection, advance };
}

/** Returns credit for a channel. */
export const adjustFrame = (receiverId: number, frameCredit: number, byteCredit: number): Frame => ({
  kind: 'ChannelAdjust',
  receiverId,
  frameCredit,
  byteCredit,
});
/** Ends the sending direction of the peer. */
export const closedFrame = (receiverId: number, reason = ''): Frame => ({
  kind: 'ChannelClosed',
  receiverId,
  reason: toBytes(reason),
});
/** Ends the reading direction of the peer. */
export const closeFrame = (receiverId: number, reason = ''): Frame => ({
  kind: 'ChannelClose',
  receiverId,
  reason: toBytes(reason),
});

/** A connection with one channel that it has opened: id 1 here, 101 at the peer. */
export async function open(options: NonNullable<Parameters<typeof simulate>[0]> = {}) {
  const simulation = simulate(options);
  const { connection, peer, advance } = simulation;
  const { delayMs = 1 } = options;
  peer.send(hello);
  const opening = connection.openChannel('forward/tcp/80');
  await advance(delayMs);
  peer.send(acceptFrame(1, 101));
  await advance(delayMs);
  return { ...simulation, channel: await opening };
}

/** Whether a promise is settled after all pending callbacks have run. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  await settle();
  return settled;
}

/** Accepts every channel request and collects the channels. */
export function acceptAll() {
  const channels: Channel[] = [];
  return { channels, onChannelRequest: (request: ChannelRequest) => void channels.push(request.accept()) };
}

/** Reads a channel to its end. */
export async function drain(channel: Channel): Promise<void> {
  for await (const _ of channel) continue;
}
