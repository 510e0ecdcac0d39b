/** Detects a peer that has stopped reading, from the bytes passed to the transport and the bytes still buffered. */
export class StallDetector {
  #writtenBytes = 0;
  #flushedBytes = 0;
  #progressAtMs: number | undefined;

  /** Counts bytes passed to the transport. */
  sent(sizeBytes: number): void {
    this.#writtenBytes += sizeBytes;
  }

  /** Whether bytes are buffered and none was sent for `timeoutMs`; call it about every second. */
  isStalled(bufferedBytes: number, nowMs: number, timeoutMs: number): boolean {
    const flushedBytes = this.#writtenBytes - bufferedBytes;
    if (bufferedBytes === 0 || flushedBytes > this.#flushedBytes || this.#progressAtMs === undefined) {
      this.#flushedBytes = flushedBytes;
      this.#progressAtMs = nowMs;
      return false;
    }
    return nowMs - this.#progressAtMs >= timeoutMs;
  }
}
