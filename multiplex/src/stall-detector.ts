/** Sees whether a peer still takes what is sent to it, from the bytes handed over and the bytes that wait. */
export class StallDetector {
  #handedBytes = 0;
  #passedBytes = 0;
  #progressAtMs: number | undefined;

  /** Notes bytes handed to the transport. */
  sent(sizeBytes: number): void {
    this.#handedBytes += sizeBytes;
  }

  /** Whether something waits and nothing has gone out for `timeoutMs`; to be asked about every second. */
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
