import type { Screen } from '../../parts/terminal/xterm.ts';
import { jumpFrom, type Moment, type Recording, sizeBefore, timesOf } from './recording.ts';

/** How a player stands. */
export interface PlayerState {
  readonly isPlaying: boolean;
  readonly positionSecs: number;
  readonly durationSecs: number;
  /** Whether its end is not as it was recorded. */
  readonly isBroken: boolean;
  /** The positions where output is missing. */
  readonly gapsSecs: readonly number[];
}

const pauseSecs = 2;

/** Plays a recording on a screen. */
export class Player {
  readonly #recording: Recording;
  readonly #screen: Screen;
  readonly #onChange: (state: PlayerState) => void;
  #times: readonly number[] = [];
  #gapsSecs: readonly number[] = [];
  /** The next moment to draw. */
  #next = 0;
  #positionSecs = 0;
  #speed = 1;
  #frame: number | undefined;

  constructor(recording: Recording, screen: Screen, onChange: (state: PlayerState) => void) {
    this.#recording = recording;
    this.#screen = screen;
    this.#onChange = onChange;
    this.#setTimes(pauseSecs);
    screen.resize(recording.size);
    this.#tell();
  }

  get durationSecs(): number {
    return this.#times.at(-1) ?? 0;
  }

  /** Begins, from the start once it was at the end. */
  play(): void {
    if (this.#positionSecs >= this.durationSecs) this.seek(0);
    let last = performance.now();
    const step = (now: number): void => {
      this.#positionSecs = Math.min(
        this.#positionSecs + ((now - last) / 1_000) * this.#speed,
        this.durationSecs,
      );
      last = now;
      this.#drawUntil(this.#positionSecs);
      this.#frame = this.#positionSecs < this.durationSecs ? requestAnimationFrame(step) : undefined;
      this.#tell();
    };
    this.#frame = requestAnimationFrame(step);
    this.#tell();
  }

  pause(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    this.#tell();
  }

  /** Jumps to a position. */
  seek(positionSecs: number): void {
    const to = this.#indexAfter(positionSecs);
    const { from, prelude } = jumpFrom(this.#recording, to);
    if (to < this.#next || from > this.#next) {
      const size = sizeBefore(this.#recording, from);
      this.#screen.reset();
      this.#screen.write(prelude, () => this.#screen.resize(size));
      this.#next = from;
    }
    this.#positionSecs = Math.min(positionSecs, this.durationSecs);
    this.#drawUntil(positionSecs);
    this.#tell();
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
  }

  /** Shortens long pauses, or keeps them; what is shown stays. */
  skipPauses(isSkipping: boolean): void {
    this.#setTimes(isSkipping ? pauseSecs : Infinity);
    this.#positionSecs = this.#next === 0 ? 0 : (this.#times[this.#next - 1] ?? 0);
    this.#tell();
  }

  #setTimes(maxPauseSecs: number): void {
    this.#times = timesOf(this.#recording, maxPauseSecs);
    this.#gapsSecs = this.#recording.moments.flatMap(({ kind }, index) =>
      kind === 'gap' ? (this.#times[index] ?? []) : [],
    );
  }

  dispose(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  #indexAfter(positionSecs: number): number {
    const index = this.#times.findIndex((time) => time > positionSecs);
    return index === -1 ? this.#times.length : index;
  }

  #drawUntil(positionSecs: number): void {
    const { moments } = this.#recording;
    let text = '';
    for (; this.#next < moments.length && (this.#times[this.#next] ?? 0) <= positionSecs; this.#next += 1) {
      const moment = moments[this.#next] as Moment;
      if (moment.kind === 'output') text += moment.text;
      if (moment.kind !== 'resize') continue;
      this.#screen.write(text, () => this.#screen.resize(moment.size));
      text = '';
    }
    if (text !== '') this.#screen.write(text);
  }

  #tell(): void {
    this.#onChange({
      isPlaying: this.#frame !== undefined,
      positionSecs: this.#positionSecs,
      durationSecs: this.durationSecs,
      isBroken: this.#recording.moments.at(-1)?.kind === 'broken',
      gapsSecs: this.#gapsSecs,
    });
  }
}
