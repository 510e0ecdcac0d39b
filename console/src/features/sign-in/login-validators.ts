import { signInProblem } from '@corral/contract';
import { signInCopy } from './copy.ts';

type Validator = (typed: { value: string }) => string | undefined;

/** The validation of the sign-in form. Plain functions, because the first screen of a visitor loads no validation library. */
export const loginValidators: Readonly<Record<'email' | 'password', Validator>> = {
  email: ({ value }) => messageOf(value, 'email'),
  password: ({ value }) => messageOf(value, 'password'),
};

function messageOf(typed: string, field: 'email' | 'password'): string | undefined {
  const problem = signInProblem(typed, field);
  return problem === undefined ? undefined : signInCopy.problems[problem];
}
