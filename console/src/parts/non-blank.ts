import { nonEmpty, pipe, string, trim } from 'valibot';

/** A text that is not blank; `message` is the error. */
export const nonBlank = (message: string) => pipe(string(), trim(), nonEmpty(message));
