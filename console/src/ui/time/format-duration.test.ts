import { expect, it } from 'vitest';
import { formatDuration } from './format-duration.ts';

it.each([
  [0, '0 s'],
  [1.9, '1 s'],
  [119, '119 s'],
  [119.99, '119 s'],
  [120, '2 min'],
  [3600, '1 h'],
  [49_140, '13 h 39 min'],
  [86_400, '1 day'],
  [86_460, '1 day 1 min'],
  [200_000, '2 days 7 h 33 min'],
  [-5, '0 s'],
])(
  'durations under 120 seconds are shown in seconds, otherwise days, hours and minutes: %d is %s',
  (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  },
);
