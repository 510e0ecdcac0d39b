import { setTimeout as delay } from 'node:timers/promises';
import { OutputFilter } from './OutputFilter.ts';

/** How a recording is played. */
export interface PlayOptions {
  /** How many times faster. */
  readonly speed: number;
  /** The longest pause, in seconds. */
  readonly idle: number;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Plays the lines of an asciicast v2 with its timing; rejected with the reason of the signal. */
export async function playRecording(
  lines: AsyncIterable<string>,
  { speed, idle, write, signal }: PlayOptions,
): Promise<void> {
  const filter = new OutputFilter();
  let lastSecs = 0;
  for await (const line of lines) {
    const moment = momentOf(line);
    if (moment === undefined) continue;
    const [atSecs, kind, data] = moment;
    const pauseSecs = Math.min(Math.max(atSecs - lastSecs, 0), idle) / speed;
    lastSecs = atSecs;
    if (pauseSecs > 0) await delay(pauseSecs * 1_000, undefined, { signal });
    if (kind === 'o') write(filter.push(data));
    if (kind === 'm') write(`\r\n[corral: ${filter.push(data)}]\r\n`);
  }
}

function momentOf(line: string): [number, string, string] | undefined {
  if (!line.startsWith('[')) return undefined;
  try {
    return JSON.parse(line) as [number, string, string];
  } catch {
    // A last line that is cut.
    return undefined;
  }
}
