import type { ForwardedPort } from './forwarder.ts';
import type { LinkObserver } from './reconnecting-link.ts';

/** Shows the events of a forwarding to its user. */
export interface ForwardView extends LinkObserver {
  /** A local port accepts connections. */
  onListening(port: ForwardedPort): void;
  /** Open connections to a port wait, since their way to the device is interrupted; for a reason without its full stop. */
  onInterrupted(port: ForwardedPort, reason: string): void;
  /** None of a port waits any longer: they go on. */
  onResumed(port: ForwardedPort): void;
  /** A connection failed or was aborted; a sentence. */
  onProblem(port: ForwardedPort, sentence: string): void;
  /** The forwarding has ended. */
  onEnd(ports: readonly ForwardedPort[]): void;
}

/** The target of a forwarding. */
export interface Target {
  readonly deviceId: string;
  /** The name of the device. */
  readonly deviceName: string;
  readonly hubUrl: string;
}
