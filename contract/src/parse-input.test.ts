import { describe, expect, test } from 'vitest';
import { actions, parseInput } from './index.ts';

const device = 'd_1234567891234567891234';

describe('parseInput', () => {
  test('treats null as absent for an optional field', () => {
    const input = { deviceId: device, validForSecs: null, claims: null };
    expect(parseInput(actions.devices_IssueDeviceToken.input, input)).toEqual({ deviceId: device });
  });

  test('keeps null if it is a valid value', () => {
    const input = { deviceId: device, name: 'n', value: null };
    expect(parseInput(actions.devices_SetDeviceProperty.input, input)).toEqual(input);
  });

  test('refuses an object in place of a text or a list, whatever its length is said to be', () => {
    const strange = { length: { toString: 1, valueOf: 1 } };
    const invalid = expect.objectContaining({ kind: 'Invalid' });
    const rename = { deviceId: device, name: strange };
    expect(() => parseInput(actions.devices_SetDeviceName.input, rename)).toThrow(invalid);
    const tag = { versionId: 'pkg_v_1234567891234567891234', tags: strange };
    expect(() => parseInput(actions.repositories_TagPackageVersion.input, tag)).toThrow(invalid);
  });

  test('drops fields that it does not know', () => {
    expect(parseInput(actions.actor_GetActor.input, { more: 1 })).toEqual({});
  });

  test.each([
    [
      'devices_SetDeviceName',
      { deviceId: device, Name: 'x' },
      'The input has no field Name; did you mean name?',
    ],
    ['users_CreateUserToken', { user_id: 'u_1' }, 'The input has no field user_id; did you mean userId?'],
    [
      'devices_IssueDeviceToken',
      { deviceId: device, validForSec: 1 },
      'no field validForSec; did you mean validForSecs?',
    ],
    [
      'devices_IssueDeviceToken',
      { deviceId: device, vaildForSecs: 1 },
      'no field vaildForSecs; did you mean validForSecs?',
    ],
    [
      'projects_CreateDeploymentToken',
      { autoAccept: true },
      'no field autoAccept; did you mean flags.autoAccept?',
    ],
    [
      'projects_CreateDeploymentToken',
      { autoApprove: true },
      'no field autoApprove; did you mean flags.autoAccept?',
    ],
    [
      'projects_CreateDeploymentToken',
      { flags: { autoApprove: true } },
      'The field flags has no field autoApprove; did you mean autoAccept?',
    ],
    [
      'repositories_TagPackageVersion',
      { tags: [{ tag: 'a', lockd: true }] },
      'The field tags.0 has no field lockd; did you mean locked?',
    ],
  ] as const)('refuses a field of %s that is near a known one: %j', (action, input, sentence) => {
    expect(() => parseInput(actions[action].input, input)).toThrow(sentence);
  });

  test.each([
    ['devices_SetDeviceName', { deviceId: device, name: 'x', names: ['x'] }],
    ['devices_SetDeviceName', { deviceId: device, hostname: 'x', frame: 1, label: null }],
    [
      'projects_RedeemDevicePairingKey',
      { pairingKey: 'a', fingerprint: `d_sk_${'1'.repeat(44)}`, deviceId: device },
    ],
    ['users_CreateUser', { email: 'a@example.org', isAdmin: true, isEnabled: true, adminNote: 'x' }],
    ['actor_GetActor', { ['x'.repeat(100_000)]: 1, __proto: 2 }],
  ] as const)('ignores fields of %s that a newer client may send: %j', (action, input) => {
    expect(() => parseInput(actions[action].input, input)).not.toThrow();
  });

  test('compares no more than 50 unknown fields', () => {
    const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`further${index}`, 1]));
    const input = { deviceId: device, ...unknown, nmae: 'x' };
    expect(parseInput(actions.devices_SetDeviceName.input, input)).toEqual({ deviceId: device });
  });

  test('reports the first wrong item of a long list', () => {
    const deviceIds = [...Array.from({ length: 90 }, () => device), 7, 8];
    const input = { fleetOperationId: `flt_op_${'7'.repeat(22)}`, which: ['Failed'], deviceIds };
    expect(() => parseInput(actions.fleet_RetryOperation.input, input)).toThrow(
      'The field deviceIds.90 is wrong: expected string, received number.',
    );
  });

  test('bounds lists and maps', () => {
    const kinds = Array.from({ length: 101 }, () => 7);
    expect(() => parseInput(actions.devices_ClaimOperationWork.input, { deviceId: device, kinds })).toThrow(
      'The field kinds may have at most 2 entries.',
    );
    const headers = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`h${index}`, 7]));
    const config = { enabled: false, headers };
    expect(() => parseInput(actions.projects_SetOtlpConfig.input, { projectId: 'p_1', config })).toThrow(
      'The field config.headers may have at most 1000 entries.',
    );
  });

  test.each([
    [{}, 'The field deviceId is missing.'],
    [{ deviceId: 'd_0' }, 'The field deviceId must be d_ and 22 symbols.'],
    [{ deviceId: 7 }, 'The field deviceId is wrong: expected string, received number.'],
    [[], 'The input is wrong: expected object, received array.'],
    ['text', 'The input is wrong: expected object, received string.'],
  ])('says in a sentence what is wrong with %j', (input, sentence) => {
    expect(() => parseInput(actions.devices_DeleteDevice.input, input)).toThrow(sentence);
  });

  test('accepts both forms of a digest and of a 64-bit number', () => {
    const input = {
      repositoryId: 'repo_1234567891234567891234',
      size: '12',
      digest: `sha256:${'AB'.repeat(32)}`,
    };
    const parsed = parseInput(actions.repositories_CreateAsset.input, input);
    expect(parsed).toMatchObject({ size: 12, digest: `sha256_${'ab'.repeat(32)}` });
  });

  test.each([{ name: 'tools' }, { displayName: 'tools', name: null }, { name: 'a', displayName: 'b' }])(
    'takes the name of a repository in either shape: %j',
    (input) => {
      expect(parseInput(actions.repositories_CreateRepository.input, input)).toEqual(
        Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)),
      );
    },
  );

  test('finds no name of a repository where neither shape has one', () => {
    for (const input of [{}, { name: null }, { visibility: 'Public' }])
      expect(() => parseInput(actions.repositories_CreateRepository.input, input)).toThrow(
        'The input must have a name or a displayName.',
      );
  });

  test.each([-1, 1.5, '1.5', '', ' 1', '0x10', true, [], '9'.repeat(16), '9'.repeat(21)])(
    'refuses %j as a 64-bit number in a sentence that says why',
    (expectedVersion) => {
      const input = { deviceId: device, name: 'n', value: 1, expectedVersion };
      expect(() => parseInput(actions.devices_SetDeviceProperty.input, input)).toThrow(
        /^The field expectedVersion (must be|is) [^.]+\.$/,
      );
    },
  );
});
