import { ChannelCore } from './channel-core.ts';
import { ChannelStream } from './channel-stream.ts';
import type { ChannelHost, OutgoingBytes } from './channel-host.ts';
import type { Channel } from './channel.ts';
import type { ChannelRequest, ConnectionEnd, ConnectionOptions } from './connection-options.ts';
import type { SendWindow } from './credit.ts';
import { ChannelRejection, ConnectionClosure, ProtocolViolation } from './errors.ts';
import { isDataFrame } from './frame.ts';
import { release, retain } from './buffer-tracking.ts';
import { defaultLimits } from './limits.ts';
import type { Limits } from './limits.ts';
import { PendingChannels } from './pending-channels.ts';
import { Session } from './session.ts';
import type { SessionEffects } from './session.ts';
import { toBytes } from './text.ts';
import type { TransportListener } from './transport.ts';
import { StallDetector } from './stall-detector.ts';

/** Connects a session with its transport, its clock and the promises of its channels. */
export class SessionDriver implements SessionEffects, TransportListener, ChannelHost {
  readonly #options: ConnectionOptions;
  readonly #limits: Limits;
  readonly #session: Session;
  readonly #stallDetector = new StallDetector();
  readonly #startedAtMs: number;
  readonly #pendingChannels = new PendingChannels();
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
    const { delayChannelClosed = false, pingIntervalMs = 0, pingWhenQuietMs = 0, info = '' } = options;
    const settings = { limits: this.#limits, delayChannelClosed, pingIntervalMs, pingWhenQuietMs, info };
    this.#session = new Session(settings, this, this.#startedAtMs);
    options.transport.attach(this);
    this.#session.start();
  }

  /** See Session. */
  get smoothedRttMs(): number | undefined {
    return this.#session.smoothedRttMs;
  }

  /** Channels and undecided requests. */
  get channelCount(): number {
    return this.end === undefined ? this.#session.channels.count : 0;
  }

  /** Fulfilled with the end; created on first use. */
  get closed(): Promise<ConnectionEnd> {
    this.#closed ??= Promise.withResolvers();
    if (this.end !== undefined) this.#closed.resolve(this.end);
    return this.#closed.promise;
  }

  /** Requests a channel of the peer. */
  openChannel(endpoint: string, signal: AbortSignal | undefined): Promise<Channel> {
    const bytes = toBytes(endpoint);
    if (this.end !== undefined) return Promise.reject(new ConnectionClosure(this.end.reason));
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (bytes.length > this.#limits.maxEndpointBytes) return rejected('channel endpoint too large');
    const core = this.#session.channels.handshake.request(bytes);
    if (core === undefined) return rejected('connection channel limit reached');
    const cancel = (): void => this.#session.channels.handshake.cancel(core);
    return this.#pendingChannels.wait(core, { endpoint, signal, cancel });
  }

  /** Sends Close and ends the transport. */
  close(reason: string): void {
    this.#finish({ cause: 'closed', reason });
  }

  /** See MultiplexConnection. */
  disableDelayedClose(): void {
    if (this.end === undefined) this.#session.channels.disableDelayedClose();
  }

  /** Does what depends on time. */
  tick(): void {
    if (this.end !== undefined) return;
    const nowMs = this.#options.now();
    const end = this.#overdue(nowMs);
    if (end !== undefined) return this.#finish(end);
    this.#session.tick(nowMs);
    this.onDrain();
  }

  // Events of the transport.

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
      // A channel with more data goes to the back of the queue, so all take turns.
      if (stream.pump()) waiting.add(stream);
    }
  }

  onViolation(reason: string): void {
    this.#finish({ cause: 'violation', reason });
  }

  onEnd(reason: string): void {
    this.#finish({ cause: 'lost', reason });
  }

  // Effects of the session.

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
      reject: (reason, frames) => (decide(), this.#reject(remoteId, reason, frames)),
    };
    onChannelRequest(request);
  }

  opened(core: ChannelCore): void {
    const pending = this.#pendingChannels.take(core);
    if (pending === undefined) return;
    const stream = new ChannelStream(this, core, pending.endpoint);
    core.owner = stream;
    pending.resolve(stream);
  }

  rejected(core: ChannelCore, reason: string): void {
    this.#pendingChannels.take(core)?.reject(new ChannelRejection(reason));
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

  // Requests of the channels.

  get hasRoom(): boolean {
    return this.#isTransportFree && (this.#waiting === undefined || this.#waiting.size === 0);
  }

  sendData(core: ChannelCore, outgoing: OutgoingBytes, offset: number): number {
    const { bytes, sizeBytes, isOwned } = outgoing;
    const head = offset === 0 ? outgoing.head : undefined;
    const credit = (core.send?.available ?? 0) - (head?.length ?? 0);
    const room = Math.min(credit, this.#limits.maxPayloadBytes);
    const end = Math.min(sizeBytes, offset + room);
    const payload = bytes.subarray(offset, end);
    // An owned buffer has this connection as its user; each further frame adds one.
    if (isOwned && end < sizeBytes) retain(bytes);
    const onSent = isOwned ? () => release(bytes) : undefined;
    this.#session.channels.data(core, { head, payload, onSent }, this.#options.now());
    return end;
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

  /** A violation ends the connection with its reason; a bug of this side ends it without details. */
  #guard(receive: () => void): void {
    try {
      receive();
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

  #accept(remoteId: number, endpoint: string, send: SendWindow): Channel {
    const core =
      this.end === undefined ? this.#session.channels.handshake.accept(remoteId, send) : new ChannelCore(0);
    const stream = new ChannelStream(this, core, endpoint);
    core.owner = stream;
    if (this.end !== undefined) stream.connectionEnded(this.end.reason);
    return stream;
  }

  #reject(remoteId: number, reason: string, frames?: number): void {
    if (this.end === undefined) this.#session.channels.handshake.reject(remoteId, reason, frames);
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
    this.#pendingChannels.rejectAll(new ConnectionClosure(end.reason));
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
