import { defineSubCommandLine, mustBeCommand } from './sub-command-line.ts';

/** The arguments of `corral-hub reset-administrator`. */
export interface ResetArguments {
  /** The account; by default that of CORRAL_ADMIN_EMAIL. */
  readonly email: string | undefined;
}

/** The command line of `corral-hub reset-administrator`. */
export const resetCommandLine = defineSubCommandLine({
  usage: ['reset-administrator [options]'],
  about:
    'Gives an administrator who lost the password a new one, prints it once, and ends the sessions of the account. The account is enabled and made an administrator if it is not. The hub may be running.',
  exitCodes: '0 the password is set, 2 it could not be set.',
  options: {
    email: {
      type: 'string',
      placeholder: 'ADDRESS',
      doc: 'The account, by default that of CORRAL_ADMIN_EMAIL.',
    },
  },
  read({ values: { email }, words }): ResetArguments {
    mustBeCommand('reset-administrator', words);
    return { email };
  },
});
