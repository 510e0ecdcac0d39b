import { defineSubCommandLine, mustBeCommand } from './sub-command-line.ts';

/** The arguments of `corral-hub reset-administrator`. */
export interface ResetArguments {
  /** The account; by default that of CORRAL_ADMIN_EMAIL. */
  readonly email: string | undefined;
  /** Whether signing in then takes no second factor. */
  readonly removesSecondFactors: boolean;
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
    'remove-second-factors': {
      type: 'boolean',
      doc: 'Also remove its second factors and recovery codes, if the phone is lost, too.',
    },
  },
  read({ values: { email, 'remove-second-factors': removes }, words }): ResetArguments {
    mustBeCommand('reset-administrator', words);
    return { email, removesSecondFactors: removes === true };
  },
});
