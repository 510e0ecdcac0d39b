import { statfs } from 'node:fs/promises';
import type { Folders } from './folders.ts';
import { PostgresStartError } from './PostgresStartError.ts';

/** Turns PostgreSQL's output before a failed start into one sentence for the operator. */
export async function explainFailure(
  output: string,
  { dataDir }: Folders,
  logPath: string,
): Promise<PostgresStartError> {
  if (output.includes('No space left on device') || (output === '' && (await isDiskFull(dataDir)))) {
    return new PostgresStartError(
      `CORRAL_DATA_DIR: the folder ${dataDir} cannot be used: no space is left on the disk.`,
    );
  }
  if (output.includes('Permission denied')) {
    return new PostgresStartError(
      `CORRAL_DATA_DIR: the folder ${dataDir} cannot be used: permission denied to PostgreSQL (see ${logPath}).`,
    );
  }
  const reason =
    [...output.matchAll(/(?:FATAL|PANIC|[Ee]rror): +(.+)/g)].at(-1)?.[1] ?? output.trim().split('\n').at(-1);
  return new PostgresStartError(
    `PostgreSQL did not start: ${reason || 'it gave no reason'} (see ${logPath}).`,
  );
}

/** PostgreSQL's log has no codes. Whether the start failed only because processes of an earlier server are still running. */
export function isStillDraining(output: string): boolean {
  return /lock file ".*" already exists|pre-existing shared memory block|is another postmaster/i.test(output);
}

/** On a full disk the log does not contain the reason. */
async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < 1024 * 1024;
}
