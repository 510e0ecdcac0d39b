/** Detects a peer that has stopped reading, from the bytes passed to the transport and the bytes still buffered. */
export class StallDetector {
  #handedBytes = 0;
  #passedBytes = 0;
  #progressAtMs: number | undefined;

  /** Counts bytes passed to the transport. */
  sent(sizeBytes: number): void {
    this.#handedBytes += sizeBytes;
  }

  /** Whether bytes are buffered and none was sent for `timeoutMs`; call it about every second. */
  isStalled(bufferedBytes: number, nowMs: number, timeoutMs: number): boolean {
    const passedBytes = this.#handedBytes - bufferedBytes;
    if (bufferedBytes === 0 || passedBytes > this.#passedBytes || this.#progressAtMs === undefined) {
      this.#passedBytes = passedBytes;
      this.#progressAtMs = nowMs;
      return false;
    }
    return nowMs - this.#progressAtMs >= timeoutMs;
  }
}
