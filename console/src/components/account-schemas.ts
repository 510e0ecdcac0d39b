import { check, forward, minLength, nonEmpty, object, partialCheck, pipe, string, trim } from 'valibot';
import { enAccount } from '../copy/en-account.ts';
import { enLogin } from '../copy/en-login.ts';

/** A text that is not blank; `message` is the error. */
export const nonBlank = (message: string) => pipe(string(), trim(), nonEmpty(message));

/** E-mail address and password must not be blank. */
export const loginSchemas = {
  email: nonBlank(enLogin.login.emailRequired),
  password: pipe(
    string(),
    check((value) => value.trim() !== '', enLogin.login.passwordRequired),
  ),
};

/** A display name must not be blank. */
export const displayNameSchema = nonBlank(enAccount.profile.nameRequired);

/** At least 8 characters, and equal to the confirmation. */
export const passwordChangeSchema = pipe(
  object({
    password: pipe(string(), minLength(8, enAccount.security.tooShort)),
    confirmation: pipe(string(), nonEmpty(enAccount.security.noMatch)),
  }),
  forward(
    partialCheck(
      [['password'], ['confirmation']],
      ({ password, confirmation }) => password === confirmation,
      enAccount.security.noMatch,
    ),
    ['confirmation'],
  ),
);
