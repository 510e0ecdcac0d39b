import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DamagedBackupError } from './DamagedBackupError.ts';
import type { StoredFile } from './manifest.ts';
import type { Progress } from './progress.ts';

/** A step of a pipeline that reports how many bytes went through it. */
export function countingStep(progress: Progress): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.add(chunk.length);
      done(null, chunk);
    },
  });
}

/** A step of a pipeline that computes the SHA-256 and the number of the bytes that go through it. */
interface HashingStep {
  readonly step: Transform;
  result(): Pick<StoredFile, 'sizeBytes' | 'digest'>;
}

/** Hashes what goes through a pipeline. */
export function hashingStep(progress?: Progress): HashingStep {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const step = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      progress?.add(chunk.length);
      done(null, chunk);
    },
  });
  return { step, result: () => ({ sizeBytes, digest: hash.digest('hex') }) };
}

/** Writes a new file of the backup, which is durable when this resolves; `steps` change the bytes before they are hashed and written. */
export async function writeStoredFile(
  folder: string,
  path: string,
  bytes: Readable,
  steps: readonly Transform[] = [],
): Promise<StoredFile> {
  const hashing = hashingStep();
  const file = createWriteStream(join(folder, path), { flags: 'wx', mode: 0o600, flush: true });
  await pipeline([bytes, ...steps, hashing.step, file]);
  return { path, ...hashing.result() };
}

/** The error for a file that was changed. */
function damaged(path: string, how: string): DamagedBackupError {
  return new DamagedBackupError(`The backup is damaged: the file ${path} ${how}.`);
}

/** Throws a DamagedBackupError unless the hash equals the one in the manifest. */
export function mustBeSame(file: StoredFile, found: Pick<StoredFile, 'digest'>): void {
  if (found.digest !== file.digest)
    throw damaged(file.path, `has the SHA-256 ${found.digest} instead of ${file.digest}`);
}

/** Throws a DamagedBackupError unless the file exists and has the size in the manifest. */
async function requireSize(folder: string, { path, sizeBytes }: StoredFile): Promise<void> {
  const found = await stat(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`The file ${join(folder, path)} cannot be read (${error.code}).`, { cause: error });
  });
  if (found === undefined) throw damaged(path, 'is missing');
  if (found.size !== sizeBytes) throw damaged(path, `has ${found.size} bytes instead of ${sizeBytes}`);
}

/** Throws a DamagedBackupError unless the file has the size and the digest in the manifest. */
export async function checkStoredFile(folder: string, file: StoredFile, progress: Progress): Promise<void> {
  await requireSize(folder, file);
  const hashing = hashingStep(progress);
  await pipeline(createReadStream(join(folder, file.path)), hashing.step.resume());
  mustBeSame(file, hashing.result());
}
