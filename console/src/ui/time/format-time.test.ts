import { afterEach, expect, it } from 'vitest';
import { chooseTimeZone } from '../style/theme.ts';
import { formatClock, formatDate, formatElsewhere, formatMoment, formatRelative } from './format-time.ts';

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
])('%d ms ago is %s', (age, text) => expect(formatRelative(now - age, now)).toBe(text));

it('says the date from two weeks on', () => {
  expect(formatRelative(Date.UTC(2026, 9, 2, 12), now)).toBe('2 Oct 2026');
});

it('shows times in the zone of this machine, unless UTC was chosen, and says when it is UTC', () => {
  const late = new Date(2026, 10, 20, 23, 59).getTime();
  expect(formatMoment(late)).toBe('20 Nov 2026, 23:59:00');
  expect([formatDate(late), formatClock(late)]).toEqual(['20 Nov 2026', '23:59']);
  expect(formatElsewhere(now)).toBe('20 Nov 2026, 14:20:00 UTC');
  chooseTimeZone('utc');
  expect(formatMoment(now)).toBe('20 Nov 2026, 14:20:00 UTC');
  expect([formatDate(now), formatClock(now)]).toEqual(['20 Nov 2026', '14:20']);
  expect(formatElsewhere(late)).toBe('20 Nov 2026, 23:59:00');
});
