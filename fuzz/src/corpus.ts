import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', 'corpus');

/** An input stored in the repository. */
export interface KeptInput {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** The stored inputs of a target, by file name. */
export function readCorpus(target: string): KeptInput[] {
  const files = readdirSync(join(folder, target)).filter((file) => file.endsWith('.bin'));
  return files
    .toSorted()
    .map((file) => ({ file, bytes: new Uint8Array(readFileSync(join(folder, target, file))) }));
}

/** Stores an input under a name made of its outcome and digest; returns the path of its file. */
export function keepInput(target: string, what: string, bytes: Uint8Array): string {
  const words = what
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  const path = join(folder, target, `${words.slice(0, 48)}-${digest}.bin`);
  mkdirSync(join(folder, target), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}
