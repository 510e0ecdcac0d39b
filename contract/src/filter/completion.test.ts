import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completionAt } from './completion.ts';
import { deviceFields, eventFields } from './list-fields.ts';

const fields = {
  ...deviceFields,
  properties: new Set([
    'site.region',
    'ota',
    'ota.version',
    'Größe',
    'two words',
    'name',
    'label.ring',
    'label.rack',
    '-x',
  ]),
};

/** Completes where the bar is in the text: the part that is replaced in brackets, and the candidates. */
function at(marked: string, of = fields): string {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const completion = completionAt(text, caret, of);
  if (completion === undefined) return 'nothing';
  const { expects, start, end, candidates } = completion;
  const replaced = `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`;
  return `${expects} ${replaced} ${candidates.map((one) => one.text).join(' ')}`.trimEnd();
}

describe('the name of a field is completed', () => {
  const cases: [string, string][] = [
    ['host|', 'field [host] hostname:'],
    ['HO|', 'field [HO] hostname:'],
    ['connected off|', 'field connected [off] offline>'],
    ['con|', 'field [con] connected'],
    ['not (cert:pending -sta|)', 'field not (cert:pending -[sta]) status:'],
    ['h|ost:pump', 'field [host]:pump hostname'],
    [
      '|',
      expect.stringMatching(/^field \[\] id: name: hostname: connected status: .* not {2}has:$/) as string,
    ],
    ['site|', 'field [site] site.region:'],
    ['reg|', 'field [reg] site.region:'],
    ['grö|', 'field [grö] Größe:'],
    ['two|', 'field [two]'],
    ['has:ho|', 'field has:[ho] hostname'],
    ['has:ota|', 'field has:[ota] ota.version'],
    ['lab|', 'field [lab] label. label.ring: label.rack:'],
    [
      'label.r|',
      'field [label.r] label.ring: label.rack: label.r: label.r= label.r!= label.r< label.r<= label.r> label.r>= label.r@"',
    ],
    ['a |', expect.stringMatching(/^field a \[\] id: .* or {2}and {2}not {2}has:$/) as string],
    ['a o|', 'field a [o] offline> os: op: ota: ota.version: or'],
    ['( o|', 'field ( [o] offline> os: op: ota: ota.version:'],
    ['pump-3 |x', expect.stringMatching(/^field pump-3 \[x\]/) as string],
  ];
  test.each(cases)('%s', (marked, expected) => expect(at(marked)).toEqual(expected));
});

describe('after the name of a field an operator is completed', () => {
  const cases: [string, string][] = [
    ['hostname|', 'operator [hostname] hostname: hostname= hostname!='],
    ['offline|', 'operator [offline] offline< offline<= offline> offline>='],
    ['cert|', 'operator [cert] cert: cert= cert!= certAge> certEnds>'],
    ['ota|', 'operator [ota] ota: ota= ota!= ota< ota<= ota> ota>= ota@" ota.version:'],
    ['name!|', 'operator name[!] !='],
    ['offline<|=7d', 'operator offline[<=]7d <'],
    ['nobody!|', 'operator nobody[!] !='],
  ];
  test.each(cases)('%s', (marked, expected) => expect(at(marked)).toBe(expected));
});

describe('a value is completed', () => {
  const cases: [string, string][] = [
    ['status:|', 'value status:[] healthy warning error offline'],
    ['status:H|', 'value status:[H] healthy'],
    ['status:error,|', 'value status:error,[] healthy warning offline'],
    ['status:|,error', 'value status:[],error healthy warning offline'],
    ['status:he|xx connected', 'value status:[hexx] connected healthy'],
    ['status:"he|', 'value status:["he] healthy'],
    ['connected=t|', 'value connected=[t] true'],
    ['offline>|', 'value offline>[] 10min 1h 1d 7d 30d'],
    ['offline>3|', 'value offline>[3] 3s 3min 3h 3d 3w'],
    ['offline>3d|', 'value offline>[3d]'],
    ['name:pu|', 'value name:[pu]'],
    ['ota.version:|', 'value ota.version:[]'],
    ['nobody:|', 'value nobody:[]'],
    ['x or (cert:|', 'value x or (cert:[] pending active rejected revoked'],
    ['name:"Żuraw 🏗" status:e|', 'value name:"Żuraw 🏗" status:[e] error'],
  ];
  test.each(cases)('%s', (marked, expected) => expect(at(marked)).toBe(expected));
});

test('the fields and the times of other lists are completed', () => {
  expect(at('sev|', { ...eventFields, properties: new Set() })).toBe('field [sev] severity:');
  expect(at('severity:w|', { ...eventFields, properties: new Set() })).toBe('value severity:[w] Warning');
  expect(at('emitted>=1|', { ...eventFields, properties: new Set() })).toBe(
    'value emitted>=[1] 1s 1min 1h 1d 1w',
  );
});

test('values that would mean something else are offered in quotation marks', () => {
  const choice = { kind: 'choice', choices: ['two words', 'a"b', 'plain', 'star*'] } as const;
  expect(at('x:|', { named: { x: choice }, properties: new Set() })).toBe(
    String.raw`value x:[] "two words" "a\"b" plain "star*"`,
  );
});

test('nothing is offered inside of a text in quotation marks, and in a filter that is too long', () => {
  expect(at('"hos|t" x')).toBe('nothing');
  expect(at('a "hos|')).toBe('nothing');
  expect(completionAt('a'.repeat(1001), 3, fields)).toBeUndefined();
});

test('at most 50 candidates are offered', () => {
  const properties = Array.from({ length: 500 }, (_, index) => `sensor${index}`);
  expect(completionAt('sensor', 6, { ...fields, properties: new Set(properties) })?.candidates).toHaveLength(
    50,
  );
});

test('every position in every text has a piece around it and candidates that fit there', () => {
  const pieces = fc.constantFrom(
    ...'a host status: connected ( ) " not - or : = != < @ , \\ * has: é 🏗'.split(' '),
    ' ',
  );
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
  );
  fc.assert(
    fc.property(anyText, fc.integer({ min: -3, max: 60 }), (text, position) => {
      const completion = completionAt(text, position, fields);
      if (completion === undefined) return;
      const { start, end, typed } = completion;
      const caret = Math.min(Math.max(0, position), text.length);
      expect([0 <= start, start <= caret, caret <= end, end <= text.length]).not.toContain(false);
      expect(text.slice(start, caret)).toBe(typed);
      for (const candidate of completion.candidates) {
        const after = text.slice(0, start) + candidate.text;
        const whole = completionAt(after, after.length, fields);
        expect(whole === undefined || whole.end === after.length).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});
