import { expect, test } from 'vitest';
import { freshExecutor } from '../../../../test/fresh-executor.ts';
import { seedDevice, seedProject } from '../../../../test/seed.ts';
import { ids } from '@corral/contract';
import { propertiesByName, readProperties } from '../../../domains/devices/sql/device-properties.ts';
import { sliceOf } from './list-order.ts';
import { compactText } from './read-within-bytes.ts';

test('the database returns the documents of a slice up to the one that exceeds the page', async () => {
  await using hub = await freshExecutor();
  const { deviceId } = await seedDevice(hub, await seedProject(hub));
  const { db } = hub.database;
  // PostgreSQL writes this number with 326 bytes.
  const values = ['"small"', '[5e-324]', '[5e-324]', '[5e-324]', '"last"'];
  for (const [index, value] of values.entries())
    await db
      .insertInto('device_properties')
      .values({
        device_id: ids.device.raw(deviceId),
        name: `p${index}`,
        value,
        is_protected: false,
        updated_at: hub.now(),
      })
      .execute();
  const read = async (limit: number, bytesLeft: number) => {
    const slice = sliceOf(propertiesByName, undefined, limit, bytesLeft);
    const { rows, isCut } = await readProperties(db, ids.device.raw(deviceId), slice);
    return [rows.map(({ name }) => name).join(' '), isCut];
  };
  expect(await read(9, 10_000)).toEqual(['p0 p1 p2 p3 p4', false]);
  expect(await read(2, 10_000)).toEqual(['p0 p1', false]);
  expect(await read(9, 400)).toEqual(['p0 p1 p2', true]);
  expect(await read(9, 1)).toEqual(['p0', true]);
});

test('a document that is long only as PostgreSQL text is serialized again', () => {
  const digits = `0.${'0'.repeat(323)}5`;
  const long = `[${Array.from({ length: 2_000 }, () => digits).join(', ')}]`;
  expect(compactText(long)).toBe(JSON.stringify(Array.from({ length: 2_000 }, () => 5e-324)));
  expect(compactText(`[${digits}]`)).toBe(`[${digits}]`);
  expect(compactText(long.replace('[', '[9007199254740993, '))).toMatch(/^\[9007199254740993,/);
});

test('a number of 22 digits is found wherever it is, and 21 digits are not taken for one', () => {
  const padding = `"${' '.repeat(524_288)}"`;
  for (let offset = 0; offset < 44; offset += 1) {
    const before = '1 '.repeat(offset / 2) + ' '.repeat(offset % 2);
    const kept = `[ "${before}${'7'.repeat(21)} ${'7'.repeat(21)}", ${padding}]`;
    expect(compactText(kept)).toBe(kept);
    const found = `[ "${before}${'7'.repeat(22)}", ${padding}]`;
    expect(compactText(found)).toBe(JSON.stringify(JSON.parse(found)));
  }
});
