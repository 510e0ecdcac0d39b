import type { ProxyFailure } from './ProxyFailure.ts';

/** A request whose answer is waited for. */
export interface Awaited {
  /** When the answer is late, by the clock; it moves on as long as the device takes what it is sent. */
  dueAtMs(): number;
  onLate(): ProxyFailure;
}

/** Notices answers on one stream that do not come. Its one timer runs on from request to request, since setting one for each costs more than the rest. */
export class AnswerWatch {
  readonly #nowMs: () => number;
  readonly #cut: (failure: ProxyFailure) => void;
  #awaited: Awaited | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(nowMs: () => number, cut: (failure: ProxyFailure) => void) {
    this.#nowMs = nowMs;
    this.#cut = cut;
  }

  /** A request was asked. */
  begin(awaited: Awaited): void {
    this.#awaited = awaited;
    if (this.#timer === undefined) this.#look();
  }

  /** It was answered. */
  end(): void {
    this.#awaited = undefined;
  }

  /** The stream is over. */
  stop(): void {
    this.#awaited = undefined;
    clearTimeout(this.#timer);
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#awaited === undefined) return;
    const restMs = this.#awaited.dueAtMs() - this.#nowMs();
    if (restMs > 0) this.#timer = setTimeout(() => this.#look(), restMs);
    else this.#cut(this.#awaited.onLate());
  }
}
