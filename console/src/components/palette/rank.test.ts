import { expect, test } from 'vitest';
import { best, isStrong, scoreOf, wordsOf } from './rank.ts';

const crane = { label: 'crane-04-gantry', id: 'd_9fkqzt3m', words: 'connected' };

const score = (text: string) => scoreOf(crane, wordsOf(text));

test('the whole name or id is best, then its beginning, then the beginning of a word, then letters inside', () => {
  const order = ['CRANE-04-gantry', 'cra', 'gantry', 'antry', 'connect', 'zt3'].map(score);
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  expect(score('d_9fkqzt3m')).toBe(0);
});

test('every word has to fit somewhere', () => {
  expect(score('gantry 04')).toBe(2);
  expect(score('gantry harbour')).toBeUndefined();
});

test('letters inside a word or an id are no strong match', () => {
  expect([score('gantry'), score('antry')].map((one) => isStrong(one ?? 9))).toEqual([true, false]);
});

test('the best come first, cut off, with the number of all', () => {
  const names = ['north-gate', 'gate', 'floodgate', 'gateway', 'crane'];
  const { found, total, score: first } = best(names, ['gate'], (label) => ({ label, id: '', words: '' }), 3);
  expect(found).toEqual(['gate', 'gateway', 'north-gate']);
  expect([total, first]).toEqual([4, 0]);
});
