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
});
