import { afterEach, expect, it } from 'vitest';
import { chooseTimeZone } from '../style/theme.ts';
import {
  formatTimeOfDay,
  formatDate,
  formatInOtherZone,
  formatDateTime,
  formatRelative,
} from './format-time.ts';

afterEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset['timezone'];
});

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
  [1000 - 14 * 24 * 60 * minute, 'in 14 days'],
])('%d ms ago is %s', (age, text) => expect(formatRelative(now - age, now)).toBe(text));

it('shows the date from two weeks on', () => {
  expect(formatRelative(Date.UTC(2026, 9, 2, 12), now)).toBe('2 October 2026');
  expect(formatRelative(Date.UTC(2026, 9, 2, 12), now, true)).toBe('2 Oct 2026');
});

it('shows times in the zone of this machine, or in UTC when chosen, with its name', () => {
  const late = new Date(2026, 10, 20, 23, 59).getTime();
  expect(formatDateTime(late)).toBe('20 Nov 2026, 23:59:00');
  expect([formatDate(late), formatTimeOfDay(late)]).toEqual(['20 November 2026', '23:59']);
  expect(formatInOtherZone(now)).toBe('20 Nov 2026, 14:20:00 UTC');
  chooseTimeZone('utc');
  expect(formatDateTime(now)).toBe('20 Nov 2026, 14:20:00 UTC');
  expect([formatDate(now), formatTimeOfDay(now)]).toEqual(['20 November 2026', '14:20']);
  expect(formatInOtherZone(late)).toBe('20 Nov 2026, 23:59:00');
});
