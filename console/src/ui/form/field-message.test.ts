import { expect, it } from 'vitest';
import { fieldMessage } from './field-message.ts';

it('reads strings, issues and lists of them', () => {
  expect(fieldMessage('Too short')).toBe('Too short');
  expect(fieldMessage({ message: 'Too short' })).toBe('Too short');
  expect(fieldMessage([undefined, [{ message: 'Too short' }, 'Too long']])).toBe('Too short');
});

it('returns undefined without a message', () => {
  for (const error of [undefined, null, '', [], {}, 7]) expect(fieldMessage(error)).toBeUndefined();
});
