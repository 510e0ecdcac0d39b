import type { PullObserver, VersionFile } from '@corral/client/node';

const renderMs = 250;

/** The progress of downloads in one line of a terminal; elsewhere only interruptions are written. */
export interface ProgressLine {
  readonly observe: (file: VersionFile) => PullObserver;
  end(): void;
}

/** Shows progress on the error stream. */
export function progressLine(stderr: NodeJS.WriteStream): ProgressLine {
  const files = new Map<VersionFile, number>();
  const isTerminal = stderr.isTTY && process.env['TERM'] !== 'dumb';
  const clear = (): void => void (isTerminal && stderr.write('\r\u001B[K'));
  const render = (): void => {
    const totalBytes = [...files.keys()].reduce((sum, { size }) => sum + size, 0);
    const doneBytes = [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
    const percent = totalBytes === 0 ? 0 : Math.floor((doneBytes / totalBytes) * 100);
    clear();
    stderr.write(`${percent} % of ${(totalBytes / 1_048_576).toFixed(1)} MiB`);
  };
  const timer = isTerminal ? setInterval(render, renderMs) : undefined;
  timer?.unref();
  return {
    observe: (file) => ({
      onProgress: ({ doneBytes }) => void files.set(file, doneBytes),
      onRetry: (reason, delayMs) => {
        clear();
        stderr.write(`${reason} Trying again in ${Math.max(0.1, delayMs / 1_000).toFixed(1)} s.\n`);
      },
      onEnd: () => undefined,
    }),
    end() {
      clearInterval(timer);
      clear();
    },
  };
}
