import type { Forwarded } from './forwarder.ts';
import type { LinkWatch } from './reconnecting-link.ts';

/** Shows whoever runs a forwarding what happens. */
export interface ForwardView extends LinkWatch {
  /** A local port takes connections from now on. */
  onListening(port: Forwarded): void;
  /** A connection did not come about or broke off; a sentence. */
  onProblem(port: Forwarded, sentence: string): void;
  /** It is over. */
  onEnd(ports: readonly Forwarded[]): void;
}

/** What is forwarded to. */
export interface Target {
  readonly deviceId: string;
  /** What people call the device. */
  readonly deviceName: string;
  readonly hubUrl: string;
}
