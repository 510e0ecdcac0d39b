import { ActionError } from '../errors.ts';

/** A mistake in a filter, with its position. */
export class FilterError extends ActionError {
  /** The index of the first wrong character in the filter. */
  readonly at: number;

  /** `problem` follows the position in the sentence. */
  constructor(problem: string, at: number) {
    super('Invalid', `The filter has a mistake at character ${at + 1}: ${problem}`, {
      reason: { kind: 'FilterMistake', problem, at },
    });
    this.name = 'FilterError';
    this.at = at;
  }
}

/** The mistake that an error of the hub names; undefined for other errors. The hub saw `skipped` characters before the text of the user. */
export function filterErrorIn(refusal: unknown, skipped = 0): FilterError | undefined {
  const reason = refusal instanceof ActionError ? refusal.reason : undefined;
  if (reason?.kind !== 'FilterMistake') return undefined;
  return new FilterError(reason.problem, Math.max(0, reason.at - skipped));
}
