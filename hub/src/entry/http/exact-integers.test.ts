import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRaw } from '../../../test/call-raw.ts';
import { newEventId } from '../../../test/generation-scene.ts';
import { refusalScene, type RefusalScene } from '../../../test/refusal-scene.ts';

let at: RefusalScene;
beforeAll(async () => void (at = await refusalScene()), 60_000);
afterAll(() => at[Symbol.asyncDispose]());

const nanoseconds = '1764252000123456789';
const json = `{"at":${nanoseconds},"list":[-${nanoseconds},"${nanoseconds}",0.5]}`;

/** Calls with a text as the input, because JavaScript has no such numbers; the text of the answer. */
async function call(action: string, input: string): Promise<string> {
  const answer = await at.transports.hub.invoke(action, input, { cookie: at.owner });
  expect(answer.status, answer.text).toBe(200);
  return answer.text;
}

const ofDevice = (fields: string) => `{"deviceId":"${at.id('device')}",${fields}}`;
/** PostgreSQL's text of a document has spaces. */
const compact = (text: string) => text.replaceAll(' ', '');

test('integers beyond 2^53 keep their digits in a property', async () => {
  await call('devices_SetDeviceProperty', ofDevice(`"name":"clock","value":${json}`));
  expect(compact(await call('devices_GetDeviceProperty', ofDevice('"name":"clock"')))).toContain(json);
});

test('in a property of more than 64 KiB', async () => {
  const value = `{"at":${nanoseconds},"padding":"${'x'.repeat(70_000)}"}`;
  await call('devices_SetDeviceProperty', ofDevice(`"name":"dev.nexigon.commands","value":${value}`));
  expect(await call('devices_GetDeviceProperty', ofDevice('"name":"dev.nexigon.commands"'))).toContain(
    nanoseconds,
  );
});

test('in metadata', async () => {
  await call('devices_SetDeviceMetadata', ofDevice(`"metadata":{"clock":${json}}`));
  expect(compact(await call('devices_GetDeviceDetails', ofDevice('"x":0')))).toContain(json);
});

test('in events, over a link too', async () => {
  const event = `{"eventId":"${newEventId()}","severity":"Info","body":${nanoseconds},"attributes":{"a":${json}},"emittedAt":"${new Date().toISOString()}"}`;
  expect(await callRaw(at.link, 'devices_PublishDeviceEvents', ofDevice(`"events":[${event}]`))).toEqual({
    result: 'Ok',
    value: {},
  });
  const events = compact(await call('devices_QueryDeviceEvents', ofDevice('"limit":1')));
  expect(events).toContain(json);
  expect(events).toContain(`"body":${nanoseconds}`);
});

test('in the claims of a device token, signed and validated', async () => {
  const { jwt } = JSON.parse(await call('devices_IssueDeviceToken', ofDevice(`"claims":${json}`))) as {
    jwt: string;
  };
  expect(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).toContain(`"claims":${json}`);
  expect(await call('devices_ValidateDeviceToken', JSON.stringify({ jwt }))).toContain(`"claims":${json}`);
});

test('a number that is too large for a number of JSON is refused, and nothing is stored', async () => {
  const input = ofDevice('"name":"distance","value":[1e400]');
  const answer = await at.transports.hub.invoke('devices_SetDeviceProperty', input, { cookie: at.owner });
  expect([answer.status, answer.json['message']]).toEqual([
    400,
    'The body has a number that is too large; send it as a string.',
  ]);
});
