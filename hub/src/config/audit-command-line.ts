import { defineSubCommandLine, jsonOption, mustBeCommand } from './sub-command-line.ts';

/** The arguments of `corral-hub audit verify`. */
export interface AuditArguments {
  readonly isJson: boolean;
  /** An exported log to check instead of the database. */
  readonly file: string | undefined;
  /** A file with logged seals, to compare those of the database with. */
  readonly seals: string | undefined;
  /** The public key that must have signed, in base64. */
  readonly publicKey: string | undefined;
}

/** The command line of `corral-hub audit verify`. */
export const auditCommandLine = defineSubCommandLine({
  usage: ['audit verify [options]'],
  about:
    'Checks that no sealed row of the audit log was changed, deleted or inserted, and names the first one that does not fit.',
  exitCodes: '0 all fits, 1 something does not fit, 2 the log could not be checked.',
  options: {
    ...jsonOption,
    file: {
      type: 'string',
      placeholder: 'FILE',
      doc: 'Checks an exported log (JSON Lines) instead of the database; needs --public-key.',
    },
    seals: {
      type: 'string',
      placeholder: 'FILE',
      doc: 'Also compares the seals with those that the hub has logged (lines of JSON; other lines are skipped).',
    },
    'public-key': {
      type: 'string',
      placeholder: 'KEY',
      doc: 'Requires this key, in base64, instead of the one in the database.',
    },
  },
  read({ values, words }): AuditArguments {
    mustBeCommand('audit verify', words);
    const { json: isJson = false, file, seals, 'public-key': publicKey } = values;
    return { isJson, file, seals, publicKey };
  },
});
