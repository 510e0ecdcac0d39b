import { expect, test } from 'vitest';
import { maintenanceWindow, nextWindow, windowProblem } from './maintenance-window.ts';

const berlin = (from: string, to: string) => ({ from, to, timeZone: 'Europe/Berlin' });
const shown = (window: Parameters<typeof nextWindow>[0], at: string) => {
  const { opensAt, closesAt } = nextWindow(window, new Date(at));
  return [opensAt, closesAt].map((date) => date.toISOString().slice(0, 16));
};

test.each([
  ['before it opens', berlin('22:00', '05:00'), '2026-11-29T12:00Z', '2026-11-29T21:00', '2026-11-30T04:00'],
  ['in it', berlin('22:00', '05:00'), '2026-11-29T23:30Z', '2026-11-29T21:00', '2026-11-30T04:00'],
  [
    'in it after midnight',
    berlin('22:00', '05:00'),
    '2026-11-30T03:59Z',
    '2026-11-29T21:00',
    '2026-11-30T04:00',
  ],
  ['when it closes', berlin('22:00', '05:00'), '2026-11-30T04:00Z', '2026-11-30T21:00', '2026-12-01T04:00'],
  ['in one of a day', berlin('09:00', '17:30'), '2026-07-01T08:00Z', '2026-07-01T07:00', '2026-07-01T15:30'],
  [
    'far east of Greenwich',
    { from: '23:00', to: '01:00', timeZone: 'Pacific/Kiritimati' },
    '2026-11-29T10:30Z',
    '2026-11-29T09:00',
    '2026-11-29T11:00',
  ],
])('a moment %s has its window', (_what, window, at, opensAt, closesAt) => {
  expect(shown(window, at)).toEqual([opensAt, closesAt]);
});

test('a time that is skipped is the moment at which the clock is put forward', () => {
  // On 2026-03-29 it is 03:00 after 01:59, at 01:00 UTC.
  const evening = '2026-03-28T18:00Z';
  expect(shown(berlin('02:30', '04:00'), evening)).toEqual(['2026-03-29T01:00', '2026-03-29T02:00']);
  expect(shown(berlin('01:00', '02:30'), evening)).toEqual(['2026-03-29T00:00', '2026-03-29T01:00']);
  expect(shown(berlin('02:10', '02:50'), evening)).toEqual(['2026-03-30T00:10', '2026-03-30T00:50']);
});

test('of a time that exists twice the first counts', () => {
  // On 2026-10-25 it is 02:00 again after 02:59, at 01:00 UTC.
  const evening = '2026-10-24T18:00Z';
  expect(shown(berlin('02:10', '02:50'), evening)).toEqual(['2026-10-25T00:10', '2026-10-25T00:50']);
  expect(shown(berlin('02:10', '02:50'), '2026-10-25T01:15Z')).toEqual([
    '2026-10-26T01:10',
    '2026-10-26T01:50',
  ]);
  expect(shown(berlin('22:00', '02:30'), evening)).toEqual(['2026-10-24T20:00', '2026-10-25T00:30']);
  expect(shown(berlin('01:00', '03:00'), evening)).toEqual(['2026-10-24T23:00', '2026-10-25T02:00']);
});

test.each([
  [berlin('22:00', '22:00'), /has no end/u],
  [{ ...berlin('22:00', '05:00'), timeZone: 'Europe/Nowhere' }, /no time zone "Europe\/Nowhere"/u],
  [{ ...berlin('22:00', '05:00'), timeZone: '+02:00' }, /no time zone/u],
  [{ ...berlin('22:00', '05:00'), timeZone: '' }, /no time zone/u],
])('a window that cannot be is refused with a sentence: %j', (window, sentence) => {
  expect(windowProblem(window)).toMatch(sentence);
});

test.each(['24:00', '9:00', '09:60', 'noon'])('%s is no time of day', (from) => {
  expect(maintenanceWindow.safeParse(berlin(from, '10:00')).success).toBe(false);
});
