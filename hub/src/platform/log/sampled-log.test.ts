import { expect, test } from 'vitest';
import { SampledLog } from './sampled-log.ts';

test('ten entries of a kind are written in a minute, and the number of the others', () => {
  let nowMs = 0;
  const lines: [object, string][] = [];
  const log = new SampledLog(() => nowMs);
  const write = (fields: object, message: string) => void lines.push([fields, message]);
  for (let count = 0; count < 5_000; count += 1) log.write('401', write, { count }, 'refused');
  log.write('503', write, {}, 'refused');
  expect(lines).toHaveLength(11);
  nowMs = 60_000;
  log.flush();
  expect(lines.slice(11)).toEqual([
    [{ kind: '401', count: 4_990 }, 'refused: more such entries within a minute'],
  ]);
  log.write('401', write, {}, 'refused');
  expect(lines).toHaveLength(13);
});
