import { forward, minLength, nonEmpty, object, partialCheck, pipe, string } from 'valibot';
import { terms } from '../../../copy/terms.ts';

/** At least 8 characters, and equal to the confirmation. */
export const passwordChangeSchema = pipe(
  object({
    password: pipe(
      string(),
      minLength(8, () => terms.passwordTooShort),
    ),
    confirmation: pipe(
      string(),
      nonEmpty(() => terms.passwordsDiffer),
    ),
  }),
  forward(
    partialCheck(
      [['password'], ['confirmation']],
      ({ password, confirmation }) => password === confirmation,
      () => terms.passwordsDiffer,
    ),
    ['confirmation'],
  ),
);
