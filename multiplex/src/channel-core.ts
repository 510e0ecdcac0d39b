import { ReceiveWindow } from './credit.ts';
import type { SendWindow } from './credit.ts';
import type { AckTracker } from './ack-tracker.ts';

/** Receives the events of one channel; payloads belong to the owner. */
export interface ChannelOwner {
  /** Bytes arrived, at least one; they count as buffered until they are consumed. */
  delivered(payload: Uint8Array): void;
  /** The peer returned credit, so more can be sent. */
  credited(): void;
  /** The peer has ended its sending direction; everything it sent was delivered. */
  peerEnded(reason: string): void;
  /** The peer has stopped reading; nothing more can be sent. */
  peerStopped(reason: string): void;
  /** Both directions have ended. */
  finished(): void;
}

/** The protocol state of one channel: ids, credits, and which directions are open. */
export class ChannelCore {
  readonly localId: number;
  /** 0 until the peer has accepted. */
  remoteId = 0;
  /** `requested` until the peer answers; `cancelled` when the request was cancelled before. */
  phase: 'requested' | 'cancelled' | 'open' = 'requested';
  send: SendWindow | undefined;
  readonly receive = new ReceiveWindow();
  isSending = true;
  isReceiving = true;
  /** The stream was ended; its ChannelClosed may be delayed. */
  isFinishing = false;
  /** Whether the receiving direction was ended by this side, so that data may still be in flight. */
  isReadingStopped = false;
  ackTracker: AckTracker | undefined;
  owner: ChannelOwner | undefined;

  constructor(localId: number) {
    this.localId = localId;
  }

  /** Whether both directions have ended. */
  get isFinished(): boolean {
    return !this.isSending && !this.isReceiving;
  }
}
