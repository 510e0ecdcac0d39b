import { expect, test } from 'vitest';
import { compareNames, foldText } from './name-order.ts';

test.each([
  [['Pump 2', 'pump 10', 'Pump 100', 'Pümp 101', 'pump a']],
  [['Emil 1', 'émile 2', 'Zeta']],
  [['a9999999999999', 'a10000000000000']],
  [['Øl 1', 'ol 2', 'Straße 1', 'strasse 2', 'łódź', 'Lodz 2'].toSorted(compareNames)],
  // https://semver.org, 11
  [
    [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      'v1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0+build.5',
      '1.0.1',
      '1.2',
      '1.10.0-1',
      '1.10.0',
      '1.10.0.1',
      'V2.0.0',
      'nightly 9',
      'nightly 10',
    ],
  ],
])('names are in order: %j', (names) => {
  expect(names.toReversed().toSorted(compareNames)).toEqual(names);
});

test.each([
  ['Émile', 'emile'],
  ['E\u0301MILE', 'emile'],
  ['STRAẞE', 'strasse'],
  ['İstanbul', 'istanbul'],
  ['ŁÓDŹ', 'lodz'],
  ['ΣΑΣ', 'σασ'],
  ['가각', '가각'],
  ['がぎ', 'がぎ'],
  ['हिन्दी', 'हिन्दी'],
])('%s is searched as %s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});
