import { sizeInWords } from '@corral/contract';

/** Reports the progress of work on many bytes, or many other things, to the operator. */
export interface Progress {
  /** Begins a step of so many bytes, 0 if their number is unknown; ends the previous step. `inWords` writes numbers of other things. */
  step(what: string, total: number, inWords?: (amount: number) => string): void;
  add(amount: number): void;
  /** Ends the last step. */
  end(): void;
}

/** Where progress is shown. */
export interface ProgressOutput {
  write(text: string): unknown;
  /** Whether a line can be written over. */
  readonly isTTY?: boolean;
}

const terminalEveryMs = 500;
const plainEveryMs = 10_000;

interface Step {
  readonly what: string;
  readonly total: number;
  readonly inWords: (amount: number) => string;
  readonly startedAt: number;
  done: number;
  shownAt: number;
}

function lineOf({ total, done, inWords }: Step, seconds: number, isEnd: boolean): string {
  if (total === 0) return `${seconds.toFixed(1)} s`;
  const rate = seconds > 0 ? `, ${inWords(Math.round(done / seconds))}/s` : '';
  return `${inWords(done)} ${isEnd ? `in ${seconds.toFixed(1)} s` : `of ${inWords(total)}`}${rate}`;
}

/** Shows each step as a line: a terminal updates it twice a second, other outputs print it again every ten seconds. */
export function createProgress(output: ProgressOutput, nowMs = () => performance.now()): Progress {
  const everyMs = output.isTTY === true ? terminalEveryMs : plainEveryMs;
  let step: Step | undefined;
  const show = (isEnd: boolean): void => {
    if (step === undefined) return;
    const seconds = (nowMs() - step.startedAt) / 1000;
    const line = `${step.what}: ${lineOf(step, seconds, isEnd)}`;
    output.write(output.isTTY === true ? `\r\u001b[K${line}${isEnd ? '\n' : ''}` : `${line}\n`);
    step.shownAt = nowMs();
  };
  const end = (): void => {
    show(true);
    step = undefined;
  };
  return {
    step(what, total, inWords = sizeInWords) {
      end();
      step = { what, total, inWords, done: 0, startedAt: nowMs(), shownAt: nowMs() };
    },
    add(amount) {
      if (step === undefined) return;
      step.done += amount;
      if (nowMs() - step.shownAt >= everyMs) show(false);
    },
    end,
  };
}
