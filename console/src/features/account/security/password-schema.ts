import { forward, minLength, nonEmpty, object, partialCheck, pipe, string } from 'valibot';
import { securityCopy } from './copy.ts';

/** At least 8 characters, and equal to the confirmation. */
export const passwordChangeSchema = pipe(
  object({
    password: pipe(string(), minLength(8, securityCopy.tooShort)),
    confirmation: pipe(string(), nonEmpty(securityCopy.noMatch)),
  }),
  forward(
    partialCheck(
      [['password'], ['confirmation']],
      ({ password, confirmation }) => password === confirmation,
      securityCopy.noMatch,
    ),
    ['confirmation'],
  ),
);
