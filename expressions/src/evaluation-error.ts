/**
 * Why there is no value: a property or a path that is missing; an operand of the wrong type; a text that is no version, or a requirement that is none; `Current` outside of a mutation; a place
 * that cannot be set; a result that is nested too deeply; more work than one evaluation may do.
 */
export type EvaluationErrorKind =
  | 'Missing'
  | 'WrongType'
  | 'BadVersion'
  | 'BadRequirement'
  | 'NoCurrent'
  | 'BadPath'
  | 'TooDeep'
  | 'TooMuchWork';

/** Why an expression has no value. */
export interface EvaluationError {
  readonly kind: EvaluationErrorKind;
  /** Where in the expression, such as `exprs.1.left`; empty for the whole. */
  readonly place: string;
  /** A sentence for people that names the place. */
  readonly message: string;
}

/** A value, or why there is none. */
export type Outcome<Value> =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: EvaluationError };

/** The beginning of a text, as a sentence quotes it. */
export function clipped(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Ends an evaluation; never leaves the package. */
export class EvaluationFailure extends Error {
  readonly kind: EvaluationErrorKind;
  readonly place: string;
  readonly sentence: string;

  /** `sentence` begins with a small letter where its first word does, and ends with a full stop. */
  constructor(kind: EvaluationErrorKind, place: string, sentence: string) {
    super(sentence);
    this.kind = kind;
    this.place = place;
    this.sentence = sentence;
  }
}

/** What a function returns, or the failure that it throws. */
export function outcomeOf<Value>(run: () => Value): Outcome<Value> {
  try {
    return { value: run() };
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error;
    const { kind, place, sentence } = error;
    const message =
      place === '' ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : `At ${place}: ${sentence}`;
    return { error: { kind, place, message } };
  }
}
