/** How much the proxy does at once, and how long it waits. */
export interface ProxyLimits {
  /** Requests to one device at a time: its connection carries 64 channels, of which command lines and the device itself need some. */
  readonly perDevice: number;
  /** Requests to one device that wait for their turn, and for how long. */
  readonly waitingPerDevice: number;
  readonly waitMs: number;
  /** How long a device may take to open a port. */
  readonly openWithinMs: number;
  /** How long it may take for the head of its answer once it takes nothing more of the request, and a client for more of its body. */
  readonly answerWithinMs: number;
  /** How long a browser may take nothing of an answer that waits for it. */
  readonly stalledForMs: number;
}

/** What holds unless something else is asked for. */
export const defaultLimits: ProxyLimits = {
  perDevice: 48,
  waitingPerDevice: 256,
  waitMs: 15_000,
  openWithinMs: 15_000,
  answerWithinMs: 60_000,
  stalledForMs: 300_000,
};
