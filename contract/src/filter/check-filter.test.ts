import { expect, test } from 'vitest';
import { ActionError } from '../errors.ts';
import { checkFilter, mistakeRange } from './check-filter.ts';
import { FilterError, filterErrorIn } from './FilterError.ts';
import type { FilterFields } from './fields.ts';
import { deviceFields, eventFields } from './list-fields.ts';

function mistake(
  text: string,
  fields: FilterFields = deviceFields,
): [message: string, piece: string] | undefined {
  try {
    checkFilter(text, fields);
    return undefined;
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const { start, end } = mistakeRange(text, error.at);
    return [error.message, text.slice(start, end)];
  }
}

test('mistakes that need no names of properties are found, each with its piece', () => {
  expect(mistake('pump hostname:a* site.region:north has:nothing')).toBeUndefined();
  expect(mistake('  ')).toBeUndefined();
  expect(mistake('pump status:broken or x')).toEqual([
    'The filter has a mistake at character 13: "status" is one of healthy, warning, error and offline.',
    'broken',
  ]);
  expect(mistake('pump offline:7d')).toEqual([
    'The filter has a mistake at character 6: "offline" can be compared by <, <=, > and >= only.',
    'offline',
  ]);
  expect(mistake('name:"Pump 3')).toEqual([
    'The filter has a mistake at character 6: the closing quotation mark is missing.',
    '"Pump 3',
  ]);
  expect(mistake('name:')).toEqual([
    'The filter has a mistake at character 6: the value of "name" is missing here.',
    '',
  ]);
});

test('a list without properties has no fields but the named ones', () => {
  expect(mistake('severity:error has:category emitted>=1h', eventFields)).toBeUndefined();
  expect(mistake('pump categori:water', eventFields)).toEqual([
    'The filter has a mistake at character 6: there is no field "categori". Did you mean category?',
    'categori',
  ]);
  expect(mistake('has:colour', eventFields)?.[0]).toContain('there is no field "colour".');
});

test("the place in the hub's refusal is that in what was typed", () => {
  const sent = 'connected (siet:north)';
  const { message, reason } = new FilterError('there is no field "siet".', 11);
  const refusal = new ActionError('Invalid', message, { reason: reason! });
  const error = filterErrorIn(refusal, sent.indexOf('siet'));
  expect(error).toMatchObject({
    at: 0,
    message: 'The filter has a mistake at character 1: there is no field "siet".',
  });
  expect(filterErrorIn(new ActionError('Forbidden', 'You may not see this project.'))).toBeUndefined();
  expect(filterErrorIn(new Error('The filter has a mistake at character 1: x'))).toBeUndefined();
});
