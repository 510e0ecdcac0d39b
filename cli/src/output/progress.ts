import type { ProgressObserver, RetryObserver } from '@corral/client/node';
import { formatBytes } from './format.ts';
import { LiveRegion } from './LiveRegion.ts';
import { plainText } from './plain-text.ts';
import { fitted, widthOf } from './text-width.ts';
import { isCapable, styleOf, type OutputStream, type Style } from './style.ts';

const renderMs = 200;
const barCells = 24;
const maxNameColumns = 32;
/** Some terminals do not tell their width. */
const defaultColumns = 80;

/** The progress of one file. */
export interface FileProgress {
  readonly onProgress: ProgressObserver;
  readonly onRetry: RetryObserver;
  onEnd(): void;
}

/** Bars on the error stream, where that is a terminal; elsewhere only broken connections are written. */
export interface ProgressView {
  start(name: string): FileProgress;
  end(): void;
}

interface Bar {
  readonly name: string;
  readonly startedAtMs: number;
  firstBytes: number | undefined;
  doneBytes: number;
  totalBytes: number;
}

/** Creates the view of a command. */
export function progressView(stderr: OutputStream, env: NodeJS.ProcessEnv): ProgressView {
  const write = (text: string): void => void stderr.write(text);
  const style = styleOf(stderr, env);
  if (!isCapable(stderr, env)) return plainView(write);
  const region = new LiveRegion(write);
  const bars = new Set<Bar>();
  const render = (): void =>
    region.render([...bars].map((bar) => lineOf(bar, style, stderr.columns || defaultColumns)));
  const timer = setInterval(render, renderMs);
  timer.unref();
  return {
    start(name) {
      const bar: Bar = {
        name: plainText(name),
        startedAtMs: performance.now(),
        firstBytes: undefined,
        doneBytes: 0,
        totalBytes: 0,
      };
      bars.add(bar);
      return {
        onProgress(progress) {
          bar.firstBytes ??= progress.doneBytes;
          Object.assign(bar, progress);
        },
        onRetry: (reason, delayMs) => region.print(style.yellow(retryText(bar.name, reason, delayMs))),
        onEnd: () => void bars.delete(bar),
      };
    },
    end() {
      clearInterval(timer);
      bars.clear();
      render();
    },
  };
}

function plainView(write: (text: string) => void): ProgressView {
  return {
    start: (name) => ({
      onProgress: () => undefined,
      onRetry: (reason, delayMs) => write(`${retryText(plainText(name), reason, delayMs)}\n`),
      onEnd: () => undefined,
    }),
    end: () => undefined,
  };
}

function retryText(name: string, reason: string, delayMs: number): string {
  return `${name}: ${plainText(reason)} Trying again in ${Math.max(0.1, delayMs / 1_000).toFixed(1)} s.`;
}

function lineOf(
  { name, startedAtMs, firstBytes = 0, doneBytes, totalBytes }: Bar,
  style: Style,
  columns: number,
): string {
  const shown = fitted(name, maxNameColumns);
  // Nothing is known before the file is hashed.
  if (totalBytes === 0) return fitted(shown, Math.max(1, columns - 1));
  const share = doneBytes / totalBytes;
  const full = Math.floor(share * barCells);
  const secs = (performance.now() - startedAtMs) / 1_000;
  const rate = secs > 1 ? `  ${formatBytes(Math.round((doneBytes - firstBytes) / secs))}/s` : '';
  const facts = `${Math.floor(share * 100)} % of ${formatBytes(totalBytes)}${rate}`;
  const bar = `${'█'.repeat(full)}${'░'.repeat(barCells - full)}`;
  const text = `${shown}  ${bar}  ${facts}`;
  return widthOf(text) < columns
    ? `${shown}  ${style.green(bar)}  ${facts}`
    : fitted(text, Math.max(1, columns - 1));
}
