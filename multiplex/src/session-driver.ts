import { ChannelCore } from './channel-core.ts';
import { ChannelStream } from './channel-stream.ts';
import type { ChannelLink, OutgoingBytes } from './channel-stream.ts';
import type { Channel } from './channel.ts';
import type { ChannelRequest, ConnectionEnd, ConnectionOptions } from './connection-options.ts';
import type { SendWindow } from './credit.ts';
import { ChannelRejection, ConnectionClosure, ProtocolViolation } from './errors.ts';
import { isDataFrame } from './frame.ts';
import { release, retain } from './buffer-tracking.ts';
import { defaultLimits } from './limits.ts';
import type { Limits } from './limits.ts';
import { Session } from './session.ts';
import type { SessionEffects } from './session.ts';
import { toBytes } from './text.ts';
import type { TransportListener } from './transport.ts';
import { StallDetector } from './stall-detector.ts';

interface PendingChannel {
  readonly endpoint: string;
  readonly resolve: (channel: Channel) => void;
  readonly reject: (error: Error) => void;
}

/** Joins a session with its transport, its clock and its channels' promises. */
export class Link implements SessionEffects, TransportListener, ChannelLink {
  readonly #options: ConnectionOptions;
  readonly #limits: Limits;
  readonly #session: Session;
  readonly #stallDetector = new StallDetector();
  readonly #startedAtMs: number;
  #pendingChannels: Map<ChannelCore, PendingChannel> | undefined;
  #waiting: Set<ChannelStream> | undefined;
  #wakeAtMs = Infinity;
  #closed: PromiseWithResolvers<ConnectionEnd> | undefined;
  /** When the peer's last frame came, by the clock of the options. */
  lastFrameAtMs: number;
  /** Set once the connection has ended. */
  end: ConnectionEnd | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#limits = options.limits === undefined ? defaultLimits : { ...defaultLimits, ...options.limits };
    this.#startedAtMs = options.now();
    this.lastFrameAtMs = this.#startedAtMs;
    const { delayChannelClosed = false, pingIntervalMs = 0, info = '' } = options;
    const settings = { limits: this.#limits, delayChannelClosed, pingIntervalMs, info };
    this.#session = new Session(settings, this, this.#startedAtMs);
    options.transport.attach(this);
    this.#session.start();
  }

  /** See Session. */
  get smoothedRttMs(): number | undefined {
    return this.#session.smoothedRttMs;
  }

  /** Live channels and undecided requests. */
  get channelCount(): number {
    return this.end === undefined ? this.#session.channels.count : 0;
  }

  /** Fulfilled with the end, made only when somebody asks. */
  get closed(): Promise<ConnectionEnd> {
    this.#closed ??= Promise.withResolvers();
    if (this.end !== undefined) this.#closed.resolve(this.end);
    return this.#closed.promise;
  }

  /** Asks the peer for a channel. */
  openChannel(endpoint: string, signal: AbortSignal | undefined): Promise<Channel> {
    const bytes = toBytes(endpoint);
    if (this.end !== undefined) return Promise.reject(new ConnectionClosure(this.end.reason));
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (bytes.length > this.#limits.maxEndpointBytes) return rejected('channel endpoint too large');
    const core = this.#session.channels.handshake.request(bytes);
    if (core === undefined) return rejected('connection channel limit reached');
    return this.#awaitAnswer(core, endpoint, signal);
  }

  /** Says closeReason and ends the transport. */
  close(reason: string): void {
    this.#finish({ cause: 'closed', reason });
  }

  /** See MultiplexConnection. */
  disableDelayedClose(): void {
    if (this.end === undefined) this.#session.channels.disableDelayedClose();
  }

  /** Drives what depends on time. */
  tick(): void {
    if (this.end !== undefined) return;
    const nowMs = this.#options.now();
    const end = this.#overdue(nowMs);
    if (end !== undefined) return this.#finish(end);
    this.#session.tick(nowMs);
    this.onDrain();
  }

  // What the transport tells.

  acceptsParts(first: Uint8Array): boolean {
    return isDataFrame(first);
  }

  onMessage(bytes: Uint8Array, missingBytes: number): void {
    if (this.end !== undefined) return release(bytes);
    const nowMs = this.#options.now();
    this.lastFrameAtMs = nowMs;
    this.#guard(() => this.#session.receive(bytes, missingBytes, nowMs));
  }

  onPart(bytes: Uint8Array): void {
    if (this.end !== undefined) return release(bytes);
    const nowMs = this.#options.now();
    this.lastFrameAtMs = nowMs;
    this.#guard(() => this.#session.receivePart(bytes, nowMs));
  }

  onIgnored(): void {
    if (this.end === undefined) this.#guard(() => this.#session.ignore(this.#options.now()));
  }

  onDrain(): void {
    const waiting = this.#waiting;
    if (waiting === undefined || this.end !== undefined) return;
    for (const stream of waiting) {
      if (!this.#isTransportFree) return;
      waiting.delete(stream);
      // Whoever has more goes to the back of the queue, so that all take turns.
      if (stream.pump()) waiting.add(stream);
    }
  }

  onViolation(reason: string): void {
    this.#finish({ cause: 'violation', reason });
  }

  onEnd(reason: string): void {
    this.#finish({ cause: 'lost', reason });
  }

  // What the session makes happen.

  sendFrame(head: Uint8Array, payload?: Uint8Array, onSent?: () => void): void {
    this.#stallDetector.sent(head.length + (payload?.length ?? 0));
    this.#options.transport.send(head, payload, onSent);
  }

  requested(remoteId: number, endpoint: string, send: SendWindow): void {
    const { onChannelRequest } = this.#options;
    if (onChannelRequest === undefined)
      return this.#session.channels.handshake.reject(remoteId, 'unknown endpoint');
    let isDecided = false;
    const decide = (): void => {
      if (isDecided) throw new Error('the channel request is decided already');
      isDecided = true;
    };
    const request: ChannelRequest = {
      endpoint,
      accept: () => (decide(), this.#accept(remoteId, endpoint, send)),
      reject: (reason) => (decide(), this.#reject(remoteId, reason)),
    };
    onChannelRequest(request);
  }

  opened(core: ChannelCore): void {
    const opening = this.#take(core);
    if (opening === undefined) return;
    const stream = new ChannelStream(this, core, opening.endpoint);
    core.owner = stream;
    opening.resolve(stream);
  }

  rejected(core: ChannelCore, reason: string): void {
    this.#take(core)?.reject(new ChannelRejection(reason));
  }

  helloReceived(info: string): void {
    this.#options.onHello?.(info);
  }

  peerClosed(reason: string): void {
    this.#finish({ cause: 'peer', reason });
  }

  wakeAt(atMs: number): void {
    const { schedule, now } = this.#options;
    if (schedule === undefined || atMs >= this.#wakeAtMs) return;
    this.#wakeAtMs = atMs;
    schedule(
      () => {
        this.#wakeAtMs = Infinity;
        this.tick();
      },
      Math.max(0, atMs - now()),
    );
  }

  // What the channels ask for.

  get hasRoom(): boolean {
    return this.#isTransportFree && (this.#waiting === undefined || this.#waiting.size === 0);
  }

  sendData(core: ChannelCore, { bytes, sizeBytes, isOwned }: OutgoingBytes, offset: number): number {
    const room = Math.min(core.send?.available ?? 0, this.#limits.maxPayloadBytes);
    const behind = Math.min(sizeBytes, offset + room);
    const payload = bytes.subarray(offset, behind);
    // What was given is used by this connection once; each further frame is one more use of it.
    if (isOwned && behind < sizeBytes) retain(bytes);
    const onSent = isOwned ? () => release(bytes) : undefined;
    this.#session.channels.data(core, payload, this.#options.now(), onSent);
    return behind;
  }

  waitForRoom(stream: ChannelStream): void {
    this.#waiting ??= new Set();
    this.#waiting.add(stream);
  }

  consumed(core: ChannelCore, payloadBytes: number): void {
    if (this.end === undefined) this.#session.channels.consumed(core, 1, payloadBytes, this.#options.now());
  }

  finish(core: ChannelCore, reason: string): void {
    if (this.end === undefined) this.#session.channels.finish(core, reason, this.#options.now());
  }

  finishNow(core: ChannelCore, reason: string): void {
    if (this.end === undefined) this.#session.channels.finishNow(core, reason);
  }

  stop(core: ChannelCore, reason: string): void {
    if (this.end === undefined) this.#session.channels.stop(core, reason);
  }

  // Inside.

  /** A violation ends the connection with its reason, a fault of this side without telling more than that. */
  #guard(takeIn: () => void): void {
    try {
      takeIn();
    } catch (error) {
      this.#finish(
        error instanceof ProtocolViolation
          ? { cause: 'violation', reason: error.message }
          : { cause: 'failed', reason: 'internal error', error },
      );
    }
  }

  get #isTransportFree(): boolean {
    return this.#options.transport.bufferedBytes < this.#limits.maxBufferedBytes;
  }

  #take(core: ChannelCore): PendingChannel | undefined {
    const opening = this.#pendingChannels?.get(core);
    this.#pendingChannels?.delete(core);
    return opening;
  }

  #awaitAnswer(core: ChannelCore, endpoint: string, signal: AbortSignal | undefined): Promise<Channel> {
    const { promise, resolve, reject } = Promise.withResolvers<Channel>();
    this.#pendingChannels ??= new Map();
    this.#pendingChannels.set(core, { endpoint, resolve, reject });
    if (signal === undefined) return promise;
    const cancel = (): void => {
      if (this.#take(core) === undefined) return;
      this.#session.channels.handshake.cancel(core);
      reject(signal.reason);
    };
    signal.addEventListener('abort', cancel, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', cancel));
  }

  #accept(remoteId: number, endpoint: string, send: SendWindow): Channel {
    const core =
      this.end === undefined ? this.#session.channels.handshake.accept(remoteId, send) : new ChannelCore(0);
    const stream = new ChannelStream(this, core, endpoint);
    core.owner = stream;
    if (this.end !== undefined) stream.connectionEnded(this.end.reason);
    return stream;
  }

  #reject(remoteId: number, reason: string): void {
    if (this.end === undefined) this.#session.channels.handshake.reject(remoteId, reason);
  }

  #overdue(nowMs: number): ConnectionEnd | undefined {
    const { helloTimeoutMs, silenceTimeoutMs, writeTimeoutMs } = this.#limits;
    if (!this.#session.hasPeerHello && nowMs - this.#startedAtMs >= helloTimeoutMs) {
      return { cause: 'silent', reason: 'no Hello in time' };
    }
    if (nowMs - this.lastFrameAtMs >= silenceTimeoutMs) {
      return { cause: 'silent', reason: 'the peer is silent' };
    }
    const { bufferedBytes } = this.#options.transport;
    if (
      bufferedBytes > this.#limits.maxBacklogBytes ||
      this.#stallDetector.isStalled(bufferedBytes, nowMs, writeTimeoutMs)
    ) {
      return { cause: 'stalled', reason: 'the peer does not read' };
    }
    return undefined;
  }

  #finish(end: ConnectionEnd): void {
    if (this.end !== undefined) return;
    this.end = end;
    this.#endTransport(end);
    this.#waiting = undefined;
    const streams = [...this.#session.channels.cores()].map((core) => core.owner);
    for (const owner of streams) if (owner instanceof ChannelStream) owner.connectionEnded(end.reason);
    for (const opening of this.#pendingChannels?.values() ?? [])
      opening.reject(new ConnectionClosure(end.reason));
    this.#pendingChannels = undefined;
    this.#closed?.resolve(end);
    this.#options.onClosed?.(end);
  }

  #endTransport(end: ConnectionEnd): void {
    const { transport } = this.#options;
    if (end.cause === 'lost') return;
    if (end.cause === 'stalled') return transport.destroy();
    if (end.cause !== 'peer') this.#session.close(end.reason);
    transport.end();
  }
}

function rejected(reason: string): Promise<never> {
  return Promise.reject(new ChannelRejection(reason));
}
