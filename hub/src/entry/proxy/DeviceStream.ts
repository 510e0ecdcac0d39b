import { Duplex } from 'node:stream';
import { release, retain, type Channel } from '@corral/multiplex';
import { Client, errors, type Dispatcher } from 'undici';
import { ProxyFailure } from './ProxyFailure.ts';
import type { ResponseLimits } from './ResponseLimits.ts';
import { ResponseTimeout } from './ResponseTimeout.ts';

/** undici has no value for "never" here; the proxy has its own timeouts, on its own clock. */
const neverMs = 2_147_483_647;
const clientOptions = {
  pipelining: 1,
  allowH2: false,
  useMilo: false,
  maxHeaderSize: 16_384,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: neverMs,
  keepAliveMaxTimeout: neverMs,
  // Subtracted from the device's `Keep-Alive: timeout=`, which the idle pool stays below.
  keepAliveTimeoutThreshold: -neverMs,
} as const;

/** undici creates an error for each close; one that exists already spares Node the formatting of its stack. */
const closedNormally = new errors.InformationalError('reset');

/**
 * A byte stream to a port of a device for one request, or for several one after the other, as the socket of an undici client. Reads and writes
 * follow the channel's flow control. After the device stops reading, writes are dropped, since its response may still come.
 */
export class DeviceStream extends Duplex {
  readonly #channel: Channel;
  readonly #nowMs: () => number;
  readonly #onClose: () => void;
  readonly #client: Client;
  #limits: ResponseLimits | undefined;
  #isConnected = false;
  #isReading = false;
  /** Whether a response or an upgrade is in progress, which closing cuts off. */
  #isBusy = false;
  #isUpgraded = false;
  #hasDeviceStoppedReading = false;
  /** The bytes that undici is parsing. */
  #parsing: Buffer | undefined;
  #onConsumed: (() => void) | undefined;
  /** Aborts the stream when a response is late. */
  readonly responseTimeout: ResponseTimeout;
  /** When the device last accepted bytes, by the clock passed in. */
  lastSentAtMs: number;
  /** How many bytes the device has sent since the current request was sent. */
  receivedBytes = 0;

  /** Calls `onClose` once, when the stream has ended or was aborted. */
  constructor(channel: Channel, nowMs: () => number, onClose: () => void) {
    super();
    this.#channel = channel;
    this.#nowMs = nowMs;
    this.#onClose = onClose;
    this.lastSentAtMs = nowMs();
    this.responseTimeout = new ResponseTimeout(nowMs, (failure) => this.abort(failure));
    this.#client = new Client('http://device', {
      ...clientOptions,
      connect: (_options, onConnected) => queueMicrotask(() => this.#connect(onConnected)),
    });
    // Failures reach the request in progress through undici.
    this.on('error', () => undefined);
  }

  /** Whether the stream is open, all writes were sent and the device still reads. */
  get isWritable(): boolean {
    return !this.destroyed && !this.#hasDeviceStoppedReading && this.writableLength === 0;
  }

  /** Whether a write still waits for the device's credit. */
  get hasPendingWrites(): boolean {
    return this.writableLength > 0;
  }

  /** Sends a request by undici. The handler reports its start by `begin`. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.lastSentAtMs = this.#nowMs();
    this.#client.dispatch(options, handler);
  }

  /** A request is being sent: all bytes from now on are its response and have to keep its limits. */
  begin(limits: ResponseLimits): void {
    this.#limits = limits;
    this.#isBusy = true;
    if (!this.#isReading)
      void this.#channel.drain((bytes) => this.#receive(bytes)).then(() => this.#endReading());
    this.#isReading = true;
  }

  /** The response is complete. undici closes the stream when the device sends more before the next request. */
  complete(): void {
    this.#limits = undefined;
    this.#isBusy = false;
    this.receivedBytes = 0;
  }

  /** The response was a 101: all bytes from now on belong to another protocol. */
  upgrade(): void {
    this.#isUpgraded = true;
  }

  /** Closes both directions in order. */
  close(): void {
    this.#isBusy = false;
    this.destroy();
  }

  /** Aborts the stream; a request in progress fails with the failure. */
  abort(failure: ProxyFailure): void {
    this.destroy(failure);
  }

  /** undici reads until it gets null, unless it pauses: then everything is parsed, and the channel may hand over more. */
  override read(size?: number): Buffer | null {
    const bytes = super.read(size) as Buffer | null;
    // Node calls this to start reading.
    if (size === 0) return bytes;
    if (!this.#isUpgraded) {
      if (this.#parsing !== undefined) release(this.#parsing);
      this.#parsing = bytes ?? undefined;
    }
    if (bytes === null && this.readableLength === 0) this.#onConsumed?.();
    return bytes;
  }

  /** undici returns what it has not parsed yet when it pauses. */
  override unshift(bytes: Buffer): void {
    retain(bytes);
    super.unshift(bytes);
  }

  /** undici gives a reason also for closing a stream in order. */
  override destroy(error?: Error | null): this {
    return super.destroy(
      error instanceof errors.UndiciError && !this.#isBusy ? closedNormally : (error ?? undefined),
    );
  }

  override _read(): void {
    // The channel pushes.
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#hasDeviceStoppedReading) return done();
    this.#channel.write(bytes).then(
      () => {
        this.lastSentAtMs = this.#nowMs();
        done();
      },
      () => {
        this.#hasDeviceStoppedReading = true;
        done();
      },
    );
  }

  override _writev(writes: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(writes.map(({ chunk }) => chunk)), 'buffer' as BufferEncoding, done);
  }

  override _final(done: () => void): void {
    this.#channel.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const isCutOff = this.#isBusy && !(error === null && this.readableEnded && this.writableFinished);
    if (isCutOff) this.#channel.abort();
    else {
      this.#channel.end();
      this.#channel.stopReading();
    }
    this.responseTimeout.stop();
    this.#onConsumed?.();
    this.#onClose();
    done(error);
  }

  /** undici connects again after the stream has closed, for requests that it has not sent yet. */
  #connect(onConnected: Parameters<Extract<Client.Options['connect'], (...args: never[]) => void>>[1]): void {
    const isFirst = !this.#isConnected;
    this.#isConnected = true;
    if (isFirst && !this.destroyed) onConnected(null, this as never);
    else onConnected(this.errored instanceof ProxyFailure ? this.errored : new ProxyFailure('broken'), null);
  }

  /** Passes bytes on. The promise is fulfilled once all of them have been parsed, so that a slow reader stops the device. */
  #receive(chunk: Uint8Array): Promise<void> | undefined {
    if (this.destroyed) return undefined;
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    if (this.#isBusy) this.receivedBytes += bytes.length;
    try {
      if (!this.#isUpgraded) this.#limits?.receive(bytes);
    } catch (failure) {
      this.abort(failure as ProxyFailure);
      return undefined;
    }
    this.push(bytes);
    if (this.readableLength === 0) return undefined;
    return new Promise((resolve) => {
      this.#onConsumed = resolve;
    });
  }

  #endReading(): void {
    if (this.#channel.resetReason !== undefined) this.abort(new ProxyFailure('broken'));
    else if (!this.destroyed) this.push(null);
  }
}
