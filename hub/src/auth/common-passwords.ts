import { readFileSync } from 'node:fs';

let commonPasswords: ReadonlySet<string> | undefined;

/** Says whether a password in lower case is one of the 3,000 most frequent ones; `common-passwords.txt` is read at the first call. */
export function isCommonPassword(password: string): boolean {
  commonPasswords ??= readCommonPasswords();
  return commonPasswords.has(password);
}

/** All common passwords, the most frequent first. */
export function readCommonPasswords(): ReadonlySet<string> {
  const text = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8');
  return new Set(text.replace(/^#.*$/gm, '').trim().split(/\s+/));
}
