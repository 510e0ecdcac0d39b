import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', 'corpus');

/** An input that is kept in the repository. */
export interface KeptInput {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** The kept inputs of a target, by name of their files. */
export function readCorpus(target: string): KeptInput[] {
  const files = readdirSync(join(folder, target)).filter((file) => file.endsWith('.bin'));
  return files
    .toSorted()
    .map((file) => ({ file, bytes: new Uint8Array(readFileSync(join(folder, target, file))) }));
}

/** Keeps an input under a name that says what it does and tells it from others; answers the path of its file. */
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
