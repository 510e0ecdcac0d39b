import { expect, test } from 'vitest';
import { readRecording } from './recording.ts';

test('sizes that no screen has are read as the largest and the smallest', () => {
  const { size, moments } = readRecording(
    '{"version":2,"width":65535,"height":65535}\n[1,"r","65535x65535"]\n[2,"r","0x0"]\n[3,"r","120x40"]',
  );
  const sizes = moments.map((moment) => (moment.kind === 'resize' ? moment.size : undefined));
  expect([size, ...sizes]).toEqual([
    { cols: 1_000, rows: 500 },
    { cols: 1_000, rows: 500 },
    { cols: 1, rows: 1 },
    { cols: 120, rows: 40 },
  ]);
});
