import { ids } from '@corral/contract';
import { maxRpcBodyBytes } from '@corral/multiplex';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRaw } from '../../test/call-raw.ts';
import { longestBlockMs } from '../../test/longest-block.ts';
import { mustBeMessage, refusalScene, type RefusalScene } from '../../test/refusal-scene.ts';
import { maxJsonKeys, maxJsonValues } from './json.ts';

let at: RefusalScene;
beforeAll(async () => {
  at = await refusalScene();
  await listNames();
}, 60_000);
afterAll(() => at[Symbol.asyncDispose]());

const list = (count: number, item: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => item(index)).join(',')}]`;
const object = (count: number, field: (index: number) => string) => `{${list(count, field).slice(1, -1)}}`;
const unique = (index: number) => `"k${index}":0`;
const mebibyte = 1024 * 1024;

type Values = readonly (readonly [string, string])[];

/** Values beyond the limits, and the most expensive values within them: by number, keys, size and decoding cost. */
const largeValues: Values = [
  ['4 million zeros', list(4_000_000, () => '0')],
  ['8 MiB of text', `"${'x'.repeat(8 * mebibyte - 200)}"`],
  ['as many numbers as are allowed', list(maxJsonValues - 100, (index) => `${index}.5e-300`)],
  ['as many integers beyond 2^53 as are allowed', list(maxJsonValues - 100, () => '9007199254740993')],
  ['the longest integers', list(12_000, () => '7'.repeat(300))],
  ['as many lists as are allowed', list(maxJsonValues / 2 - 100, () => '[]')],
  ['as many texts as are allowed', list(maxJsonValues - 100, () => `"${'a'.repeat(30)}"`)],
  ['as many keys as are allowed', object(maxJsonKeys - 100, unique)],
  ['as many objects as keys are allowed', list(maxJsonKeys - 100, (index) => `{${unique(index)}}`)],
  ['4 MiB of escapes', `"${'\\n'.repeat(2 * mebibyte)}"`],
  ['4 MiB of text that is not ASCII', `"${'é'.repeat(2 * mebibyte)}"`],
];
const smallValues: Values = [
  ['the keys that fit into 64 KiB', object(6_000, unique)],
  ['the numbers that fit into 64 KiB', list(32_000, () => '0')],
];

const event = (index: number, attributes: string, more: string) =>
  `{"eventId":"d_ev_20261120-1825-${String(index).padStart(8, '1').replaceAll('0', 'z')}","severity":"Info","body":1,"attributes":${attributes},"emittedAt":"2026-11-20T18:25:00.5Z"${more}}`;

type Call = readonly [what: string, action: string, input: () => string];

const withDevice = (fields: string) => `{"deviceId":"${at.id('device')}",${fields}}`;
const ofProperty = (value: string) => withDevice(`"name":"dev.nexigon.commands","value":${value}`);
const ofEvents = (value: string) => withDevice(`"events":${value}`);
const events = (attributes: (index: number) => string, more = '') =>
  ofEvents(list(1000, (index) => event(index, attributes(index), more)));

const calls: readonly Call[] = [
  ...largeValues.flatMap(([what, value]): Call[] => [
    [`${what} for a property`, 'devices_SetDeviceProperty', () => ofProperty(value)],
    [`${what} for events`, 'devices_PublishEvents', () => ofEvents(value)],
  ]),
  ...smallValues.flatMap(([what, value]): Call[] => [
    [`${what} for metadata`, 'devices_SetDeviceMetadata', () => withDevice(`"metadata":{"a":${value}}`)],
    [`${what} for the name of a device`, 'devices_SetDeviceName', () => withDevice(`"name":${value}`)],
    [`${what} for an unknown field`, 'actor_GetActor', () => `{"further":${value}}`],
    [`${what} for the input`, 'projects_DeleteProject', () => value],
    [`${what} for kinds`, 'devices_ClaimOperationWork', () => withDevice(`"kinds":${value}`)],
    [
      `${what} for headers`,
      'projects_SetOtlpConfig',
      () => `{"projectId":"${at.id('project')}","config":{"enabled":false,"headers":${value}}}`,
    ],
  ]),
  ['1000 events', 'devices_PublishEvents', () => events(() => '{}')],
  [
    '1000 events with many attributes',
    'devices_PublishEvents',
    () => events((index) => object(12, (key) => unique(key * 1000 + index))),
  ],
  ['1000 events without fields', 'devices_PublishEvents', () => ofEvents(list(1000, () => '{}'))],
  [
    '1000 events with fields that are near known ones',
    'devices_PublishEvents',
    () => events(() => '{}', ',"severitys":1,"categorys":2,"bodys":3'),
  ],
  ...Object.entries({
    'a long field that does not exist': 'x'.padEnd(58, 'a').padEnd(64, 'b'),
    'a short field that does not exist': 'xa',
    'as many fields as fit before one that does not exist': `${'has:a '.repeat(160)} has:b`,
    'many dots in a field that does not exist': '.'.repeat(990),
    'as many properties as fit': `${'a:b '.repeat(240)} a`,
    'as many groups as fit': `${'(a.b>1 or -a=2) '.repeat(60)} a`,
    'as many labels as fit': `${'label.a:1 '.repeat(95)} a`,
    'as many words as fit': `${'ab '.repeat(320)} a`,
    'as many alternatives as fit': `${'a or '.repeat(190)} a`,
    'as many values as fit': `a:${'b,'.repeat(480)}b or a`,
    'as many certificates as fit': `${'cert:active '.repeat(80)} a`,
  }).map(([what, field]): Call => [
    `${what} in a filter`,
    'projects_QueryProjectDevices',
    () => JSON.stringify({ projectId: at.id('project'), filter: `${field}:1` }),
  ]),
  ...['audit_QueryAuditLogEvents', 'projects_QueryAuditLog'].map((name): Call => [
    'as many conditions as fit in a filter',
    name,
    () => JSON.stringify({ projectId: at.id('project'), filter: 'actor:a or -event:b '.repeat(48) + 'a' }),
  ]),
];

/** Lists as many names of properties for the project as it may have, of the length that costs most to compare. */
async function listNames(): Promise<void> {
  const project = ids.project.raw(at.id('project') as never);
  await sql`insert into project_property_names (project_id, name)
    select ${project}, 'x.' || repeat('a', 56) || lpad(i::text, 6, '0') from generate_series(1, 4999) i union all select ${project}, 'a'`.execute(
    at.transports.hub.database.db,
  );
}

const maxTurnMs = 50;

test.each(calls)('%s hold the event loop for less than 50 ms', async (_what, name, inputOf) => {
  const input = Buffer.from(inputOf());
  const overHttpMs = await longestBlockMs(maxTurnMs, async () => {
    const answer = await at.transports.hub.invoke(name, input, { cookie: at.owner });
    if (answer.status !== 200) mustBeMessage(answer.json['message']);
  });
  expect(overHttpMs, 'over HTTP').toBeLessThan(maxTurnMs);
  if (input.length > maxRpcBodyBytes) return;
  const overChannelMs = await longestBlockMs(maxTurnMs, async () => {
    const answer = await callRaw(at.link, name, input);
    if ('error' in answer) mustBeMessage(answer.error.message);
  });
  expect(overChannelMs, 'over a channel').toBeLessThan(maxTurnMs);
});
