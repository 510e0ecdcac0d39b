import { nameProblem } from '@corral/contract';
import { object, pipe, trim } from 'valibot';
import { problemCopy } from '../copy/problems.ts';
import { follows } from './follows.ts';

/** The validation of a form with the name of a new entity, which is trimmed. */
export const nameSchema = object({
  name: pipe(
    follows((typed) => nameProblem(typed, 'name'), problemCopy),
    trim(),
  ),
});
