import { WebSocket } from 'ws';

/**
 * The WebSocket of a device or a command line. What it cannot read it leaves to its transport to answer, without a close frame of its
 * own: behind one, old clients wait for ever for the Pong that they miss. It closes only in answer to the peer's close frame.
 */
export class PeerWebSocket extends WebSocket {
  /** Called for the peer's close frame, and for what cannot be read, right before that is told as an error. */
  override close(code?: number, reason?: string | Buffer): void {
    let isBroken = false;
    const onError = (): void => void (isBroken = true);
    this.once('error', onError);
    queueMicrotask(() => {
      this.off('error', onError);
      if (!isBroken) super.close(code, reason);
    });
  }
}
