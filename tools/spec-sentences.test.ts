import { expect, test } from 'vitest';
import { listedSentences, quotedInNames, unquotedSentences } from './spec-sentences.ts';

const list = '# Sentences\n\nThe sentences.\n\n- Gates close at night.\n- Cattle come home\n';

test('the items of the list are its sentences', () => {
  expect(listedSentences(list)).toEqual([
    { text: 'Gates close at night.', line: 5 },
    { text: 'Cattle come home', line: 6 },
  ]);
});

test('a sentence counts as tested if the name of a test quotes it in full', () => {
  const quotes = `test('"gates close at night": and open at dawn', async () => {});`;
  expect(unquotedSentences(list, [quotes])).toEqual([{ text: 'Cattle come home', line: 6 }]);
});

test('a part of a sentence, a comment and a value do not count', () => {
  const source = `// "Cattle come home"\nconst text = 'say "Cattle come home"';\ntest('"Cattle come"', () => {});`;
  expect(unquotedSentences(list, [source])).toHaveLength(2);
});

test('names in templates and over several lines are read', () => {
  expect(quotedInNames('test(\n  `"one" and "two": ${width} px`, () => {});\nit("no", () => {});')).toEqual([
    'one',
    'two',
  ]);
});
