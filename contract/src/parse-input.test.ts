import { describe, expect, test } from 'vitest';
import { actions, parseInput } from './index.ts';

const device = 'd_1234567891234567891234';

describe('parseInput', () => {
  test('takes null for absent where a field is optional', () => {
    const input = { deviceId: device, validForSecs: null, claims: null };
    expect(parseInput(actions.devices_IssueDeviceToken.input, input)).toEqual({ deviceId: device });
  });

  test('keeps null where it is a value', () => {
    const input = { deviceId: device, name: 'n', value: null };
    expect(parseInput(actions.devices_SetDeviceProperty.input, input)).toEqual(input);
  });

  test('drops fields that it does not know', () => {
    expect(parseInput(actions.actor_GetActor.input, { more: 1 })).toEqual({});
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

  test('takes both forms of a digest and of a 64-bit number', () => {
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

  test('misses a name that is in neither', () => {
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
