import { expect, test } from 'vitest';
import { messageOf } from './message-of.ts';

test.each([
  [new Error('Only an owner may do this.'), 'Only an owner may do this.'],
  ['The hub cannot be reached.', 'The hub cannot be reached.'],
  [new Error(), 'That did not work. Nothing was changed.'],
  [
    Object.assign(new Error('The hub failed.'), { kind: 'Internal', requestId: 'req_1' }),
    'The hub failed. Request req_1.',
  ],
  [
    Object.assign(new Error('The name is taken.'), { kind: 'Invalid', requestId: 'req_2' }),
    'The name is taken.',
  ],
  [undefined, 'That did not work. Nothing was changed.'],
])('a failure has a sentence: %s', (error, message) => {
  expect(messageOf(error)).toBe(message);
});
