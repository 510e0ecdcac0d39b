import { passwordProblem } from '@corral/contract';
import { forward, nonEmpty, object, partialCheck, pipe, string } from 'valibot';
import { problemCopy } from '../copy/problems.ts';
import { terms } from '../copy/terms.ts';
import { follows } from './follows.ts';

/** The validation of a new password of the owner of an e-mail address, and of its confirmation. */
export const passwordChangeSchema = (email: string) =>
  pipe(
    object({
      current: string(),
      password: follows((typed) => passwordProblem(typed, email), problemCopy),
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
