import { signInProblem } from '@corral/contract';
import { signInCopy } from './copy.ts';
import { follows } from '../../parts/follows.ts';

/** The validation of the sign-in form. */
export const loginSchemas = {
  email: follows((typed) => signInProblem(typed, 'email'), signInCopy.problems),
  password: follows((typed) => signInProblem(typed, 'password'), signInCopy.problems),
};
