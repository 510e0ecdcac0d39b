import { ActionError, type ActionName, type CallInput, type Output } from '@corral/contract';
import type { Executor } from './executor.ts';

/** Answers by action name, for component tests: typed as the contract types them. */
export type AnswerTable = {
  [Name in ActionName]?: (input: CallInput<Name>) => Output<Name> | Promise<Output<Name>>;
};

/** Runs actions from a table; an action without an answer is an error that names it. */
export function tableExecutor(answers: AnswerTable): Executor {
  return {
    async invoke(name, input) {
      const answer = answers[name];
      if (answer === undefined)
        throw new ActionError('UnknownAction', `The table has no answer for ${name}.`);
      return answer(input);
    },
  };
}
