import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';

/** PostgreSQL's log file and one older file. Their size is checked every minute against `maxSizeBytes` each. */
export interface ServerLog {
  fd: number;
  path: string;
  sizeBytes(): number;
  /** The text written since the file had this size, at most the last 16 KiB. */
  since(offsetBytes: number): string;
  close(): void;
}

const maxSizeBytes = 4 * 1024 * 1024;
const tailBytes = 16 * 1024;
const checkEveryMs = 60_000;

/** Opens the log (0600) for appending and bounds its size until close(). */
export function openServerLog(path: string): ServerLog {
  const fd = openSync(path, 'a+', 0o600);
  const bound = (): void => boundSize(fd, path);
  bound();
  const timer = setInterval(bound, checkEveryMs).unref();
  return {
    fd,
    path,
    sizeBytes: () => fstatSync(fd).size,
    since: (offsetBytes) => readSince(fd, offsetBytes),
    close: () => {
      clearInterval(timer);
      closeSync(fd);
    },
  };
}

/** PostgreSQL keeps appending to the open file, so it is truncated in place. If the disk is full, the older file is lost. */
function boundSize(fd: number, path: string): void {
  if (fstatSync(fd).size <= maxSizeBytes) return;
  try {
    copyFileSync(path, `${path}.1`);
  } finally {
    ftruncateSync(fd, 0);
  }
}

function readSince(fd: number, offsetBytes: number): string {
  const end = fstatSync(fd).size;
  const start = Math.max(Math.min(offsetBytes, end), end - tailBytes);
  const buffer = Buffer.alloc(end - start);
  return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, start));
}
