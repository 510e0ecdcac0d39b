import { ActionError } from '../errors.ts';

/** A mistake in a filter, with where it is. */
export class FilterError extends ActionError {
  /** The index of the first wrong character in the filter. */
  readonly at: number;

  /** `problem` follows the position in the sentence. */
  constructor(problem: string, at: number) {
    super('Invalid', `The filter is wrong at character ${at + 1}: ${problem}`);
    this.name = 'FilterError';
    this.at = at;
  }
}
