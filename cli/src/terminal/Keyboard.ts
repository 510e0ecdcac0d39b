import type { ProgramContext } from '../commands/command-context.ts';
import { EscapeKeys } from './EscapeKeys.ts';

/** What the user does. */
export interface KeyboardEvents {
  onKeys(bytes: Buffer): void;
  /** The user leaves by `~.`. */
  onLeave(): void;
  onResize(): void;
}

const endOfInput = Buffer.from('\u0004');

/** The keyboard and the size of the screen; a terminal gives each key as it comes, until `close`. */
export class Keyboard {
  readonly #parts: Pick<ProgramContext, 'stdin' | 'stdout'>;
  readonly #escapes = new EscapeKeys();
  readonly #events: KeyboardEvents;
  readonly #onData = (keys: Buffer): void => this.#take(keys);
  readonly #onEnd = (): void => this.#events.onKeys(endOfInput);
  readonly #restore = (): void => this.close();

  constructor(parts: Pick<ProgramContext, 'stdin' | 'stdout'>, events: KeyboardEvents) {
    this.#parts = parts;
    this.#events = events;
    const { stdin, stdout } = parts;
    if (stdin.isTTY) stdin.setRawMode(true);
    stdin.on('data', this.#onData).on('end', this.#onEnd).resume();
    stdout.on('resize', this.#events.onResize);
    process.once('exit', this.#restore);
  }

  get size(): { columns: number; rows: number } {
    const { columns, rows } = this.#parts.stdout;
    return { columns: columns || 80, rows: rows || 24 };
  }

  /** Gives the terminal back as it was. */
  close(): void {
    const { stdin, stdout } = this.#parts;
    stdin.off('data', this.#onData).off('end', this.#onEnd).pause();
    stdout.off('resize', this.#events.onResize);
    if (stdin.isTTY) stdin.setRawMode(false);
    process.off('exit', this.#restore);
  }

  #take(keys: Buffer): void {
    const { typed, leaves } = this.#parts.stdin.isTTY
      ? this.#escapes.take(keys)
      : { typed: keys, leaves: false };
    if (typed.length > 0) this.#events.onKeys(typed);
    if (leaves) this.#events.onLeave();
  }
}
