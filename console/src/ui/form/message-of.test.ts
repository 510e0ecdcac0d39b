import { expect, test } from 'vitest';
import { messageOf } from './message-of.ts';

test.each([
  [new Error('Only an owner may do this.'), 'Only an owner may do this.'],
  ['The hub cannot be reached.', 'The hub cannot be reached.'],
  [new Error(), 'That did not work. Nothing was changed.'],
  [undefined, 'That did not work. Nothing was changed.'],
])('a failure has a sentence: %s', (error, message) => {
  expect(messageOf(error)).toBe(message);
});
