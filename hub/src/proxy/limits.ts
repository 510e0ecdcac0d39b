/** The proxy's concurrency limits and timeouts. */
export interface ProxyLimits {
  /** Streams to one device at a time. Its connection carries 64 channels; command lines and the device itself need some of them. */
  readonly maxConcurrentPerDevice: number;
  /** Requests that queue for one device, and how long each waits. Beyond that the response is 503. */
  readonly maxWaitingPerDevice: number;
  readonly maxWaitMs: number;
  /** How long a device may take to open a port. */
  readonly openTimeoutMs: number;
  /** How long a device may take for the head of its response after it last accepted data, and a client for the next part of its body. */
  readonly responseTimeoutMs: number;
  /** How long a browser may accept nothing of a response that waits for it. */
  readonly stallTimeoutMs: number;
}

/** The limits of a hub in production. */
export const defaultLimits: ProxyLimits = {
  maxConcurrentPerDevice: 48,
  maxWaitingPerDevice: 256,
  maxWaitMs: 15_000,
  openTimeoutMs: 15_000,
  responseTimeoutMs: 60_000,
  stallTimeoutMs: 300_000,
};
