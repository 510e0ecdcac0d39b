import { ActionError } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';

/** The hub refuses conflicts as Invalid, the kind that all clients know; this tells scripts by the exit code. Rejected with a CliError for a conflict. */
export async function orConflict<Result>(
  work: Promise<Result>,
  isConflict: () => Promise<boolean>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ActionError) || error.kind !== 'Invalid' || !(await isConflict())) throw error;
    throw new CliError(`Invalid: ${error.message}`, exitCodes.conflict, { cause: error });
  }
}
