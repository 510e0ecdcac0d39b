// Separate from rules.ts, which the sign-in page need not load.

/** The sentence about each problem of the sign-in form; the console may translate it. */
export const signInMessages = {
  emailEmpty: 'Please enter your email address.',
  passwordEmpty: 'Please enter your password.',
} as const;

/** What is wrong with the sign-in form. */
export type SignInProblem = keyof typeof signInMessages;

/** The rule for the fields of the sign-in form: neither may be blank. */
export function signInProblem(typed: string, field: 'email' | 'password'): SignInProblem | undefined {
  return typed.trim() === '' ? `${field}Empty` : undefined;
}
