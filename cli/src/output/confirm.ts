import { CliError } from '../CliError.ts';
import type { CommandContext } from '../commands/command-context.ts';
import { createPrompts } from './prompts.ts';

/** Asks whether to go on, unless `isSure`; the sentence states the consequence. Rejected with a CliError for any answer but yes. */
export async function confirm({ parts }: CommandContext, sentence: string, isSure = false): Promise<void> {
  if (isSure) return;
  const prompts = createPrompts(parts);
  try {
    const answer = await prompts.ask(`${sentence} Go on? [yes/no] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was changed.');
  } finally {
    prompts.close();
  }
}
