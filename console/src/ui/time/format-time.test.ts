import { expect, it } from 'vitest';
import { formatRelative, formatUtc } from './format-time.ts';

const now = Date.UTC(2026, 10, 20, 14, 20);
const minute = 60_000;

it.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [minute, '1 min ago'],
  [59 * minute, '59 min ago'],
  [60 * minute, '1 h ago'],
  [24 * 60 * minute, '1 day ago'],
  [13 * 24 * 60 * minute, '13 days ago'],
  [-30 * minute, 'in 30 min'],
  [-3 * 24 * 60 * minute, 'in 3 days'],
])('%d ms ago is %s', (age, text) => expect(formatRelative(now - age, now)).toBe(text));

it('says the date from two weeks on', () => {
  expect(formatRelative(Date.UTC(2026, 9, 2, 12), now)).toBe('2 Oct 2026');
});

it('says that it is UTC', () => expect(formatUtc(now)).toBe('20 Nov 2026, 14:20:00 UTC'));
