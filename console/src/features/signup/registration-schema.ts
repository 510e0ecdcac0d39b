import {
  boolean,
  check,
  forward,
  maxLength,
  nonEmpty,
  object,
  partialCheck,
  pipe,
  regex,
  string,
  trim,
} from 'valibot';
import { signUpCopy } from './copy.ts';

const { form: text } = signUpCopy;
const emailShape = /^[^\s@]+@[^\s@]+$/;
const minimumCharacters = 8;

/** Whether a password has enough code points. */
function isLongEnough(password: string): boolean {
  // oxlint-disable-next-line typescript/no-misused-spread -- people count code points, not UTF-16 units
  return [...password].length >= minimumCharacters;
}

/** The values of the sign-up form. */
export interface Registration {
  readonly displayName: string;
  readonly email: string;
  readonly password: string;
  readonly confirmation: string;
  readonly consentedToTerms: boolean;
  readonly consentedToMarketing: boolean;
}

/** The empty sign-up form. */
export const emptyRegistration: Registration = {
  displayName: '',
  email: '',
  password: '',
  confirmation: '',
  consentedToTerms: false,
  consentedToMarketing: false,
};

/** The validation of the sign-up form; a change of either password field compares both. */
export const registrationSchema = pipe(
  object({
    displayName: pipe(
      string(),
      trim(),
      nonEmpty(() => text.displayNameRequired),
    ),
    email: pipe(
      string(),
      trim(),
      regex(emailShape, () => text.emailInvalid),
      maxLength(254, () => text.emailInvalid),
    ),
    password: pipe(
      string(),
      check(isLongEnough, () => text.passwordTooShort),
    ),
    confirmation: string(),
    consentedToTerms: pipe(
      boolean(),
      check(
        (isGiven) => isGiven,
        () => text.termsRequired,
      ),
    ),
    consentedToMarketing: boolean(),
  }),
  forward(
    partialCheck(
      [['password'], ['confirmation']],
      ({ password, confirmation }) => password === confirmation && confirmation !== '',
      () => text.noMatch,
    ),
    ['confirmation'],
  ),
);
