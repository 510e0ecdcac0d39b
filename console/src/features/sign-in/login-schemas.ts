import { check, pipe, string } from 'valibot';
import { nonBlank } from '../../parts/non-blank.ts';
import { signInCopy } from './copy.ts';

/** E-mail address and password must not be blank. */
export const loginSchemas = {
  email: nonBlank(() => signInCopy.emailRequired),
  password: pipe(
    string(),
    check(
      (value) => value.trim() !== '',
      () => signInCopy.passwordRequired,
    ),
  ),
};
