import type { LogFields } from './log-fields.ts';

/** Writes one entry of the log. */
type Write = (fields: LogFields, message: string) => void;

interface Sample {
  readonly since: number;
  readonly message: string;
  readonly write: Write;
  written: number;
  skipped: number;
}

/** How many entries of one kind are written within each minute. */
const maxWrittenPerMinute = 10;
const minuteMs = 60_000;

/** Writes the first ten entries of each kind in a minute; those that follow are counted, and their number is written once. */
export class SampledLog {
  readonly #nowMs: () => number;
  readonly #samples = new Map<string, Sample>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Writes an entry, or counts it. The kinds must be few. */
  write(kind: string, write: Write, fields: LogFields, message: string): void {
    this.flush();
    const sample = this.#samples.get(kind) ?? {
      since: this.#nowMs(),
      message,
      write,
      written: 0,
      skipped: 0,
    };
    this.#samples.set(kind, sample);
    if (sample.written < maxWrittenPerMinute) {
      sample.written += 1;
      write(fields, message);
    } else sample.skipped += 1;
  }

  /** Writes how many entries were skipped in each minute that is over. */
  flush(): void {
    for (const [kind, sample] of this.#samples) {
      if (this.#nowMs() - sample.since < minuteMs) continue;
      this.#samples.delete(kind);
      if (sample.skipped > 0)
        sample.write({ kind, count: sample.skipped }, `${sample.message}: more such entries within a minute`);
    }
  }
}
