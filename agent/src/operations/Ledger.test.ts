import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Ledger } from './Ledger.ts';

let folder: string;
let file: string;
const warnings: string[] = [];
const open = () => Ledger.open(file, (warning) => warnings.push(warning));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'corral-ledger-'));
  file = join(folder, 'state', 'operations.json');
  warnings.length = 0;
});

afterEach(() => rmSync(folder, { recursive: true }));

test('what began, and results that nobody acknowledged, are there after a restart', async () => {
  const first = await open();
  expect(first.find('d_op_1', 0)).toBeUndefined();
  await first.begin('d_op_1', 0);
  await first.begin('d_op_1', 1);
  await first.begin('d_op_2', 0);
  await first.finish('d_op_1', 1, { status: 'Succeeded', output: { load: 1 } });
  await first.remove('d_op_2', 0);
  const second = await open();
  expect(second.find('d_op_1', 0)).toEqual({ deviceOperationId: 'd_op_1', stepIndex: 0 });
  expect(second.find('d_op_1', 1)?.report).toEqual({ status: 'Succeeded', output: { load: 1 } });
  expect(second.find('d_op_2', 0)).toBeUndefined();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'state'))).toEqual(['operations.json']);
});

test('what a power cut left of a change is not read, and gives way to the next change', async () => {
  await (await open()).begin('d_op_1', 0);
  writeFileSync(join(folder, 'state', '.operations.json.new'), '{"steps": [{"devi');
  const again = await open();
  expect(again.find('d_op_1', 0)).toBeDefined();
  await again.begin('d_op_2', 0);
  expect(readdirSync(join(folder, 'state'))).toEqual(['operations.json']);
});

test('a step does not begin where the ledger cannot be written', async () => {
  const ledger = await open();
  writeFileSync(join(folder, 'state'), 'a file in the place of the folder');
  await expect(ledger.begin('d_op_1', 0)).rejects.toThrow(/^The file .*operations.json cannot be written: /);
  expect(ledger.find('d_op_1', 0)).toBeUndefined();
});

test('a damaged ledger is set aside and named', async () => {
  await (await open()).begin('d_op_1', 0);
  writeFileSync(file, 'no JSON');
  expect((await open()).find('d_op_1', 0)).toBeUndefined();
  expect(readFileSync(`${file}.damaged`, 'utf8')).toBe('no JSON');
  expect(warnings).toEqual([expect.stringContaining('is damaged and was renamed')]);
});

test('the ledger keeps the newest 32 steps', async () => {
  const ledger = await open();
  for (let index = 0; index < 40; index += 1) await ledger.begin('d_op_1', index);
  expect(ledger.find('d_op_1', 7)).toBeUndefined();
  expect(ledger.find('d_op_1', 8)).toBeDefined();
  expect((await open()).find('d_op_1', 39)).toBeDefined();
});
