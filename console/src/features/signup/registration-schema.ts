import { emailProblem, nameProblem, passwordProblem } from '@corral/contract';
import { boolean, check, forward, object, partialCheck, pipe, string } from 'valibot';
import { signUpCopy } from './copy.ts';
import { problemCopy } from '../../copy/problems.ts';
import { follows } from '../../parts/follows.ts';

const { form: text } = signUpCopy;

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
    displayName: follows((typed) => nameProblem(typed, 'fullName'), problemCopy),
    email: follows(emailProblem, problemCopy),
    password: string(),
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
      [['email'], ['password']],
      ({ email, password }) => passwordProblem(password, email) === undefined,
      ({ input: { email, password } }) => problemCopy[passwordProblem(password, email) ?? 'passwordTooShort'],
    ),
    ['password'],
  ),
  forward(
    partialCheck(
      [['password'], ['confirmation']],
      ({ password, confirmation }) => password === confirmation && confirmation !== '',
      () => text.noMatch,
    ),
    ['confirmation'],
  ),
);
