import { describe, expect, test } from 'vitest';
import {
  characterCount,
  emailProblem,
  nameProblem,
  passwordProblem,
  portProblem,
  problemMessages,
} from './rules.ts';

const email = 'annabel@example.com';
const horse = '🐎';

test.each([
  ['', 0],
  ['abc', 3],
  [horse.repeat(4), 4],
  ['e\u0301', 2],
  ['👩‍🌾', 3],
])('%j has %i characters', (text, count) => {
  expect(characterCount(text)).toBe(count);
});

test.each([
  ['', 'passwordTooShort'],
  ['1234567', 'passwordTooShort'],
  [horse.repeat(4), 'passwordTooShort'],
  [horse.repeat(7), 'passwordTooShort'],
  [horse.repeat(8), undefined],
  ['Ж'.repeat(7), 'passwordTooShort'],
  ['Ж'.repeat(8), undefined],
  ['e\u0301'.repeat(7), 'passwordTooShort'],
  ['e\u0301'.repeat(8), undefined],
  [' '.repeat(8), undefined],
  [' 123456 ', undefined],
  ['x'.repeat(1024), undefined],
  ['x'.repeat(1025), 'passwordTooLong'],
  [`${'x'.repeat(1023)}é`, 'passwordTooLong'],
  [horse.repeat(256), undefined],
  [horse.repeat(257), 'passwordTooLong'],
  ['Annabel@Example.com', 'passwordIsName'],
  ['annabel-2026!', 'passwordIsName'],
  ['Corral2026', 'passwordIsName'],
  ['corralcorral', 'passwordIsName'],
  ['annabel likes corrals', undefined],
])('the password %j: %s', (password, problem) => {
  expect(passwordProblem(password, email)).toBe(problem);
});

test('a password without letters is allowed while the address is empty', () => {
  expect(passwordProblem('2026-11-22', '')).toBeUndefined();
});

test.each([
  ['', 'emailInvalid'],
  ['ann', 'emailInvalid'],
  ['a@b@c', 'emailInvalid'],
  ['ann,bea@example.com', 'emailInvalid'],
  ['an n@example.com', 'emailInvalid'],
  ['ann@exa\u0000mple.com', 'emailInvalid'],
  ['  Ann@Example.COM\n', undefined],
  ['admin@localhost', undefined],
  [`${'a'.repeat(242)}@example.com`, undefined],
  [`${'a'.repeat(243)}@example.com`, 'emailInvalid'],
  [`${horse.repeat(242)}@example.com`, undefined],
  [`${horse.repeat(243)}@example.com`, 'emailInvalid'],
])('the e-mail address %j: %s', (typed, problem) => {
  expect(emailProblem(typed)).toBe(problem);
});

describe('a name', () => {
  test.each([
    ['', 'nameEmpty'],
    [' \t\n', 'nameEmpty'],
    ['\u00a0', 'nameEmpty'],
    ['x', undefined],
    ['x'.repeat(200), undefined],
    ['x'.repeat(201), 'nameTooLong'],
    [` ${'x'.repeat(200)} `, undefined],
    [horse.repeat(200), undefined],
    [horse.repeat(201), 'nameTooLong'],
  ])('that is required: %j: %s', (typed, problem) => {
    expect(nameProblem(typed, 'name')).toBe(problem);
  });

  test('of a device may be blank', () => {
    expect(nameProblem(' ', 'deviceName')).toBeUndefined();
    expect(nameProblem('x'.repeat(201), 'deviceName')).toBe('deviceNameTooLong');
  });

  test('of each kind has its own sentences', () => {
    expect(nameProblem(' ', 'displayName')).toBe('displayNameEmpty');
    expect(nameProblem('x'.repeat(201), 'fullName')).toBe('fullNameTooLong');
    expect(nameProblem('x'.repeat(61), 'viewName')).toBe('viewNameTooLong');
  });
});

test('a port is from 1 to 65535', () => {
  expect(['1', '80', ' 8080 ', '65535'].map(portProblem)).toEqual(Array.from({ length: 4 }));
  for (const typed of ['', '0', '65536', '80a', '-1', '8.5', '1e3'])
    expect(portProblem(typed)).toBe('portInvalid');
});

test('the sentences are those of the product', () => {
  expect(problemMessages).toMatchObject({
    nameEmpty: 'Name must not be empty.',
    displayNameEmpty: 'Display name must not be empty.',
    fullNameEmpty: 'Please enter your full name.',
    emailInvalid: 'Please enter a valid email address.',
    passwordTooShort: 'Password must be at least 8 characters long.',
  });
});
