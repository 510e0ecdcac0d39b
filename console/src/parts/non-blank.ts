import { nonEmpty, pipe, string, trim } from 'valibot';

/** A text that is not blank; `message` is the error, or makes it. */
export const nonBlank = (message: string | (() => string)) => pipe(string(), trim(), nonEmpty(message));
