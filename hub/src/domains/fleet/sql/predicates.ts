import { ActionError, type Json } from '@corral/contract';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** A device of which a condition could not be decided. */
export interface SelectionError {
  /** The raw id. */
  readonly deviceId: string;
  readonly error: string;
}

/** TO BUILD, with the package of expressions. */
export async function selectByPredicates(
  _tx: Database,
  _passes: RawBuilder<boolean>,
  _predicates: readonly Json[],
): Promise<{ readonly devices: readonly string[]; readonly errors: readonly SelectionError[] }> {
  throw new ActionError('Invalid', 'TO BUILD');
}
