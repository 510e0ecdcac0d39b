import { check, pipe, string } from 'valibot';

/** A text that follows a rule of the contract. `sentences` has the message for each problem; it is read while validating. */
export const follows = <Problem extends string>(
  rule: (typed: string) => Problem | undefined,
  sentences: Readonly<Record<Problem, string>>,
) =>
  pipe(
    string(),
    check(
      (typed) => rule(typed) === undefined,
      ({ input }) => {
        const problem = rule(input);
        return problem === undefined ? '' : sentences[problem];
      },
    ),
  );
