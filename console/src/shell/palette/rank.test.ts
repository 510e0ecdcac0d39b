import { expect, test } from 'vitest';
import { bestMatches, isStrong, scoreOf, wordsOf } from './rank.ts';

const crane = { label: 'crane-04-gantry', id: 'd_9fkqzt3m', words: 'connected' };

const score = (text: string) => scoreOf(crane, wordsOf(text));

test('ranks a whole name or id first, then a prefix, then the start of a word, then matches inside words', () => {
  const order = ['CRANE-04-gantry', 'cra', 'gantry', 'antry', 'connect', 'zt3'].map(score);
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  expect(score('d_9fkqzt3m')).toBe(0);
});

test('every word has to match', () => {
  expect(score('gantry 04')).toBe(2);
  expect(score('gantry harbour')).toBeUndefined();
});

test('a match inside a word or an id is not strong', () => {
  expect([score('gantry'), score('antry')].map((one) => isStrong(one ?? 9))).toEqual([true, false]);
});

test('returns the best matches up to the limit, and the total number of matches', () => {
  const names = ['north-gate', 'gate', 'floodgate', 'gateway', 'crane'];
  const {
    found,
    total,
    score: first,
  } = bestMatches(names, ['gate'], (label) => ({ label, id: '', words: '' }), 3);
  expect(found).toEqual(['gate', 'gateway', 'north-gate']);
  expect([total, first]).toEqual([4, 0]);
});
