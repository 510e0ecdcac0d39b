import { ActionError } from '../errors.ts';

/** A mistake in a filter, with its position. */
export class FilterError extends ActionError {
  /** The index of the first wrong character in the filter. */
  readonly at: number;

  /** `problem` follows the position in the sentence. */
  constructor(problem: string, at: number) {
    super('Invalid', `The filter has a mistake at character ${at + 1}: ${problem}`);
    this.name = 'FilterError';
    this.at = at;
  }
}

/** The mistake that an error of the hub names; undefined for other errors. The hub saw `skipped` characters before the text of the user. */
export function filterErrorIn(refusal: unknown, skipped = 0): FilterError | undefined {
  if (!(refusal instanceof ActionError)) return undefined;
  const [, character, problem] =
    /^The filter has a mistake at character (\d{1,9}): (.*)$/s.exec(refusal.message) ?? [];
  if (character === undefined || problem === undefined) return undefined;
  return new FilterError(problem, Math.max(0, Number(character) - 1 - skipped));
}
