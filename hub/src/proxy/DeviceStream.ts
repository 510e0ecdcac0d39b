import type { Channel } from '@corral/multiplex';
import { ProxyFailure } from './ProxyFailure.ts';
import { ResponseTimeout } from './ResponseTimeout.ts';

type Read = ReturnType<Channel['read']>;

/**
 * A byte stream to a port of a device for one request, or for several one after the other. Reads and writes follow the channel's flow
 * control. After the device stops reading, writes are dropped, since its response may still come.
 */
export class DeviceStream {
  readonly #channel: Channel;
  readonly #nowMs: () => number;
  readonly #onClose: () => void;
  /** The read that detects unsolicited data while the stream is idle. */
  #idleRead: Read | undefined;
  #failure: ProxyFailure | undefined;
  #isClosed = false;
  #hasDeviceStoppedReading = false;
  #pendingWrites = 0;
  /** Aborts the stream when a response is late. */
  readonly responseTimeout: ResponseTimeout;
  /** Whether the device sent data or closed the stream while it was idle. */
  hasUnsolicitedData = false;
  /** When the device last accepted bytes, by the clock passed in. */
  lastSentAtMs: number;
  /** How many bytes the device has sent. */
  receivedBytes = 0;

  /** Calls `onClose` once, when the stream has ended or was aborted. */
  constructor(channel: Channel, nowMs: () => number, onClose: () => void) {
    this.#channel = channel;
    this.#nowMs = nowMs;
    this.#onClose = onClose;
    this.lastSentAtMs = nowMs();
    this.responseTimeout = new ResponseTimeout(nowMs, (failure) => this.abort(failure));
  }

  /** Whether the stream is open, all writes were sent and the device still reads. */
  get isWritable(): boolean {
    return !this.#isClosed && !this.#hasDeviceStoppedReading && this.#pendingWrites === 0;
  }

  /** Whether a write still waits for the device's credit. */
  get hasPendingWrites(): boolean {
    return this.#pendingWrites > 0;
  }

  /** Starts the time of a new request. */
  begin(): void {
    this.lastSentAtMs = this.#nowMs();
  }

  /** Resolves with the next bytes, at least one, or null once the device has closed the stream. Rejects with a ProxyFailure. */
  read(): Promise<Buffer | null> {
    const reading = this.#idleRead ?? this.#channel.read();
    this.#idleRead = undefined;
    return reading.then((bytes) => this.#receive(bytes));
  }

  /** Resolves when the device has accepted the bytes or accepts no more. Never rejects. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed || this.#hasDeviceStoppedReading) return Promise.resolve();
    this.#pendingWrites += 1;
    return this.#channel.write(bytes).then(
      () => {
        this.#pendingWrites -= 1;
        this.lastSentAtMs = this.#nowMs();
      },
      () => {
        this.#pendingWrites -= 1;
        this.#hasDeviceStoppedReading = true;
      },
    );
  }

  /** Closes the writing side. */
  endWriting(): void {
    this.#channel.end();
  }

  /** Calls `onUnsolicitedData` when the device sends data or closes the stream before the next `read`. */
  watchWhileIdle(onUnsolicitedData: () => void): void {
    const reading = this.#channel.read();
    this.#idleRead = reading;
    void reading.then(() => {
      if (this.#idleRead !== reading) return;
      this.hasUnsolicitedData = true;
      onUnsolicitedData();
    });
  }

  /** Closes both directions in order. */
  end(): void {
    if (this.#isClosed) return;
    this.#channel.end();
    this.#channel.stopReading();
    this.#close();
  }

  /** Aborts the stream; a pending read rejects with the failure. */
  abort(failure: ProxyFailure): void {
    if (this.#isClosed) return;
    this.#failure = failure;
    this.#channel.abort();
    this.#close();
  }

  #receive(bytes: Uint8Array | null): Buffer | null {
    if (this.#failure !== undefined) throw this.#failure;
    if (bytes !== null) {
      this.receivedBytes += bytes.length;
      return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    if (this.#channel.resetReason !== undefined) throw new ProxyFailure('broken');
    return null;
  }

  #close(): void {
    this.#isClosed = true;
    this.responseTimeout.stop();
    this.#onClose();
  }
}
