import { ActionError } from '@corral/contract';

const maxDepth = 32;
/** Keys with a meaning in JavaScript objects; a schema would drop them silently. */
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);

/** Refuses, with kind Invalid, an input that is nested too deeply, contains text that PostgreSQL cannot store, or uses a forbidden key. */
export function mustBeStorable(input: unknown, depth = 0): void {
  if (typeof input === 'string') return mustBeText(input);
  if (typeof input !== 'object' || input === null) return;
  if (depth === maxDepth)
    throw new ActionError('Invalid', `The input may be nested at most ${maxDepth} levels deep.`);
  for (const [key, value] of Object.entries(input)) {
    mustBeText(key);
    if (refusedKeys.has(key)) throw new ActionError('Invalid', `The input may not use ${key} as a key.`);
    mustBeStorable(value, depth + 1);
  }
}

function mustBeText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw new ActionError(
      'Invalid',
      'The input may hold no NUL characters and no halves of surrogate pairs.',
    );
}
