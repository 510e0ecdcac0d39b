import { defineSubCommandLine, mustBeCommand } from './sub-command-line.ts';

/** The arguments of `corral-hub move-passkeys`. */
export interface MovePasskeysArguments {
  /** Whether users may lose theirs. */
  readonly isConfirmed: boolean;
}

/** The command line of `corral-hub move-passkeys`. */
export const movePasskeysCommandLine = defineSubCommandLine({
  usage: ['move-passkeys [options]'],
  about:
    'Says how many users lose their passkeys if those of this hub belong to its present host name, and with --confirm lets new ones belong to it. Passkeys of the former name work again when the hub has that name again. The hub may be running.',
  exitCodes: '0 they belong to the present name, 1 users would lose theirs, 2 it could not be found out.',
  options: {
    confirm: { type: 'boolean', doc: 'Moves them, whoever loses some.' },
  },
  read({ values: { confirm }, words }): MovePasskeysArguments {
    mustBeCommand('move-passkeys', words);
    return { isConfirmed: confirm === true };
  },
});
