import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeviceNames, readNames } from './names-file.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'corral-names-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function read(text: string) {
  const path = join(folder, 'names.csv');
  writeFileSync(path, text);
  return readNames(path);
}

test('a file of names is read, as spreadsheets write it', () => {
  const certificate = Array.from({ length: 32 }, () => 'ab').join(':');
  const names = read(`\uFEFF# pumps\r\n192.168.1.7,Pump 1\r\n\r\n${certificate}, "Pump ""two"", west"\r\n`);
  expect([...names]).toEqual([
    ['192.168.1.7', 'Pump 1'],
    [certificate.toUpperCase(), 'Pump "two", west'],
  ]);
});

test('a name is found by what the file has first, in either case, and the others are told', () => {
  const names = new DeviceNames(read('pump.local:6947,Pump\n10.0.0.9,Valve\nd_pk_Ab,Press\n'));
  expect(names.find(['10.0.0.7', 'Pump.Local:6947'])).toBe('Pump');
  expect([names.find(['d_pk_ab']), names.find(['d_pk_Ab'])]).toEqual([undefined, 'Press']);
  expect(names.unused).toEqual(['10.0.0.9']);
});

test.each([
  ['192.168.1.7', /^Line 1 of .*: write an address or a fingerprint/],
  ['a,b\nc, ', /^Line 2 of .*: Name must not be empty/],
  ['a,b\na,c', /^Line 2 of .*: a has a name already/],
  [`a,${'x'.repeat(129)}`, /at most 128 characters/],
])('a line that is wrong is named', (text, problem) => expect(() => read(text)).toThrow(problem));

test('a file that is missing is named', () =>
  expect(() => readNames(join(folder, 'none'))).toThrow(/none cannot be read/));
