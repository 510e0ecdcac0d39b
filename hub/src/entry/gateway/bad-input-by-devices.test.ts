import { randomBytes } from 'node:crypto';
import { ids, randomSymbols, type Id } from '@corral/contract';
import { ByteReader } from '@corral/multiplex';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callRaw } from '../../../test/call-raw.ts';
import { deviceHeaders, type TestDevice } from '../../../test/device-client.ts';
import { absentId } from '../../../test/fresh-executor.ts';
import { deviceIdOf, mustBeMessage, refusalScene, type RefusalScene } from '../../../test/refusal-scene.ts';

let at: RefusalScene;
beforeAll(async () => void (at = await refusalScene()), 60_000);
afterAll(() => at[Symbol.asyncDispose]());

let before: string;
beforeEach(async () => void (before = await at.state()));
afterEach(async () => void expect(await at.state(), 'what is stored').toBe(before));

describe('by a device that is refused', () => {
  const withSecret = (): TestDevice => ({
    ...at.device,
    fingerprint: (at.device.fingerprint.slice(0, -22) +
      randomSymbols(22, randomBytes)) as Id<'deviceFingerprint'>,
  });
  const refusals: [string, () => Record<string, string>, number, string, RegExp][] = [
    [
      'a revoked certificate',
      () => deviceHeaders(at.revokedDevice, at.token),
      403,
      'Forbidden',
      /was revoked/,
    ],
    [
      'a rejected certificate',
      () => deviceHeaders(at.rejectedDevice, at.token),
      403,
      'Forbidden',
      /was rejected/,
    ],
    [
      'a deleted token',
      () => deviceHeaders(at.device, at.deletedToken),
      401,
      'Forbidden',
      /token is not known/,
    ],
    [
      'a token that was never made',
      () => deviceHeaders(at.device, ids.deploymentToken.of('1'.repeat(66))),
      401,
      'Forbidden',
      /token is not known/,
    ],
    [
      'the token of a user',
      () => ({ ...deviceHeaders(at.device, at.deletedUserToken), 'x-user-token': '' }),
      400,
      'Invalid',
      /exclude each other/,
    ],
    [
      'a deleted user token',
      () => ({ authorization: `Bearer ${at.deletedUserToken}` }),
      401,
      'Forbidden',
      /\.$/,
    ],
    [
      'the secret of another fingerprint',
      () => deviceHeaders(withSecret(), at.token),
      401,
      'Forbidden',
      /fingerprint is not that of the device/,
    ],
  ];

  test.each(refusals)('%s', async (_what, headers, status, kind, message) => {
    const recorded = await at.recordedBy(async () => {
      const answer = await at.transports.refused(headers());
      const body = JSON.parse(answer.text) as { kind: string; message: string };
      expect([answer.status, body]).toEqual([status, { kind, message: expect.stringMatching(message) }]);
      mustBeMessage(body.message);
    });
    expect(recorded).toEqual([]);
  });
});

describe('by a device on its channel', () => {
  const calls: [string, string, () => string | Buffer, string, RegExp, boolean?][] = [
    [
      'bytes that are no text',
      'devices_SetDeviceMetadata',
      () => Buffer.from([0x22, 0xff, 0x22]),
      'Invalid',
      /^The input is not UTF-8\.$/,
    ],
    ['an unknown action', 'devices_Burn', () => '{}', 'Invalid', /^There is no action of this name\.$/],
    ['a list for an object', 'devices_SetDeviceMetadata', () => '[]', 'Invalid', /^The input is wrong: /],
    [
      'a missing field',
      'devices_SetDeviceMetadata',
      () => JSON.stringify({ deviceId: at.id('device') }),
      'Invalid',
      /^The field metadata /,
    ],
    [
      'a key that objects are made of',
      'devices_SetDeviceMetadata',
      () => `{"deviceId":"${at.id('device')}","metadata":{"__proto__":{"a":1}}}`,
      'Invalid',
      /^The input may not use __proto__ as a key\.$/,
    ],
    [
      'a missing device',
      'devices_SetDeviceMetadata',
      () => JSON.stringify({ deviceId: absentId('device'), metadata: {} }),
      'Invalid',
      /^Device not found\.$/,
    ],
    [
      'an action of a person',
      'projects_DeleteProject',
      () => JSON.stringify({ projectId: at.id('project') }),
      'Forbidden',
      /^Only users may do this\.$/,
      true,
    ],
    [
      'an action of the hub',
      'cluster_RegisterClusterNode',
      () => '{}',
      'Forbidden',
      /^Only the hub itself may do this\.$/,
    ],
  ];

  test.each(calls)('%s', async (_what, name, input, kind, message, isAudited) => {
    const recorded = await at.recordedBy(async () => {
      const answer = await callRaw(at.link, name, input());
      const error = 'error' in answer ? answer.error : { kind: 'Ok', message: '' };
      expect(error).toEqual({ kind, message: expect.stringMatching(message) });
      mustBeMessage(error.message);
    });
    expect(recorded).toEqual(isAudited === true ? [`${name} Failed`] : []);
  });

  test('a call that announces more than 8 MiB ends its channel and nothing else', async () => {
    const channel = await at.link.connection.openChannel('executor');
    const name = 'devices_SetDeviceMetadata';
    const head = Buffer.alloc(6 + name.length);
    head.writeUInt16BE(name.length);
    head.write(name, 2);
    head.writeUInt32BE(8 * 1024 * 1024 + 1, 2 + name.length);
    await channel.write(head);
    expect(await new ByteReader(channel).read(4)).toBeNull();
    expect(await deviceIdOf(at.link)).toBe(at.id('device'));
  });
});
