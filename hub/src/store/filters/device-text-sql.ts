import type { FilterTest } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { occursInTexts } from '../paging/searched-text.ts';
import type { DeviceScope } from './device-tests.ts';

type TextTest = Extract<FilterTest, { kind: 'text' }>;

/** The condition that the id, the name or the host name of a device, `d`, contains a text, or begins with it. */
export function textFits(test: TextTest, scope: DeviceScope): RawBuilder<boolean> {
  if (scope.lookup === 'set') return sql<boolean>`(d.device_id in (${devicesWithText(test, scope)})) is true`;
  return sql<boolean>`(select true from device_texts t where t.device_id = d.device_id and ${fits(test)} limit 1) is true`;
}

/** SQL that selects the devices of the project of which this is true, or false. */
export function devicesWithText(
  test: TextTest,
  { projectId }: Pick<DeviceScope, 'projectId'>,
  isNegated = false,
): RawBuilder<unknown> {
  const condition = isNegated ? sql`not ${fits(test)}` : fits(test);
  return sql`select t.device_id from device_texts t where t.project_id = ${projectId} and ${condition}`;
}

/** Whether the index of trigrams finds a text: it knows three letters or digits in a row. */
export function hasTrigram(text: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(text);
}

function fits({ text, isPrefix }: TextTest): RawBuilder<boolean> {
  return occursInTexts(sql`t.texts`, text, isPrefix ? 'at the start' : 'anywhere');
}
