import type { Carrier } from './carrier.ts';
import { initialWindowBytes } from './byte-pool.ts';
import { encodeAck } from './stream-frames.ts';
import type { StreamReceiver } from './StreamReceiver.ts';

/** Runs a function after a delay, and returns how to cancel that. */
export type Schedule = (run: () => void, delayMs: number) => () => void;

/** The longest delay of an acknowledgement, so that the sender of a quiet stream can drop its bytes. */
const maxDelayMs = 200;
/** From this many unacknowledged bytes the delay is shorter: a sender without free window waits for the acknowledgement. */
const manyBytes = initialWindowBytes / 4;
const manyBytesDelayMs = 5;

/** Decides when one side of a stream acknowledges what it has received, and sends the acknowledgements. */
export class AckScheduler {
  readonly #receiver: StreamReceiver;
  readonly #schedule: Schedule;
  #carrier: Carrier | undefined;
  /** Whether an acknowledgement waits until the channel takes it. */
  #isSending = false;
  /** The delay of the scheduled acknowledgement; Infinity without one. */
  #delayMs = Infinity;
  #cancelTimer: (() => void) | undefined;

  constructor(receiver: StreamReceiver, schedule: Schedule) {
    this.#receiver = receiver;
    this.#schedule = schedule;
  }

  /** Acknowledges over this channel from now on. */
  start(carrier: Carrier): void {
    this.#carrier = carrier;
    this.#isSending = false;
    this.update();
  }

  /** Acknowledges nothing until the next `start`. */
  stop(): void {
    this.#carrier = undefined;
    this.#cancel();
  }

  /** To be called after each reception: acknowledges at once when enough has come, otherwise after a delay. */
  update(): void {
    if (this.#carrier === undefined) return;
    const { unacknowledgedBytes, isAckDue } = this.#receiver;
    if (isAckDue) this.#send(this.#carrier);
    else if (unacknowledgedBytes >= manyBytes) this.#sendAfter(manyBytesDelayMs);
    else if (unacknowledgedBytes > 0) this.#sendAfter(maxDelayMs);
  }

  #sendAfter(delayMs: number): void {
    if (delayMs >= this.#delayMs) return;
    this.#cancel();
    this.#delayMs = delayMs;
    this.#cancelTimer = this.#schedule(() => {
      this.#delayMs = Infinity;
      if (this.#carrier !== undefined) this.#send(this.#carrier);
    }, delayMs);
  }

  /** At most one acknowledgement waits for the channel: the next one repeats its content. */
  #send(carrier: Carrier): void {
    if (this.#isSending) return;
    this.#cancel();
    const sending = carrier.send(encodeAck(this.#receiver.takeReceipt()));
    if (sending === undefined) return;
    this.#isSending = true;
    sending.then(
      () => {
        if (this.#carrier !== carrier) return;
        this.#isSending = false;
        this.update();
      },
      () => undefined,
    );
  }

  #cancel(): void {
    if (this.#delayMs !== Infinity) this.#cancelTimer?.();
    this.#delayMs = Infinity;
  }
}
