import type { Places } from '../../limits/fair-semaphore.ts';
import { limits } from '../../limits/table.ts';

/** The proxy's concurrency limits and timeouts. */
export interface ProxyLimits {
  /** Streams to one device. Its connection carries 64 channels; command lines and the device itself need some of them. */
  readonly streamsOfDevice: Places;
  /** How long a device may take to open a port. */
  readonly openTimeoutMs: number;
  /** How long a device may take for the head of its response after it last accepted data, and a client for the next part of its body. */
  readonly responseTimeoutMs: number;
  /** How long a browser may accept nothing of a response that waits for it. */
  readonly stallTimeoutMs: number;
}

/** The limits of a hub in production. */
export const defaultLimits: ProxyLimits = {
  streamsOfDevice: limits.streamsOfDevice,
  openTimeoutMs: 15_000,
  responseTimeoutMs: 60_000,
  stallTimeoutMs: 300_000,
};
