import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CliError, exitCodes } from '../CliError.ts';

/** Prompts on the terminal; answers come from the standard input, of a person or a script. */
export interface Prompts {
  /** The next line. Rejected with a CliError when the input ends. */
  ask(question: string): Promise<string>;
  /** The next line, which a terminal does not show. */
  askSecretly(question: string): Promise<string>;
  close(): void;
}

/** Reads lines; the questions go to the error stream, and only to a person. */
export function createPrompts({
  stdin,
  stderr,
}: {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
}): Prompts {
  const isTerminal = stdin.isTTY === true;
  let isSecret = false;
  const screen = new Writable({
    write(chunk, _encoding, done) {
      if (!isSecret) stderr.write(chunk as Buffer);
      done();
    },
  });
  const reader = createInterface({ input: stdin, ...(isTerminal ? { output: screen, terminal: true } : {}) });
  reader.on('SIGINT', () => reader.close());
  const lines = reader[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    if (isSecret) stderr.write(question);
    // The reader redraws the line while it is edited, so it must know the prompt.
    reader.setPrompt(question);
    if (isTerminal) reader.prompt();
    const { value, done } = await lines.next();
    if (done === true) throw new CliError('There was no answer, and nothing was changed.', exitCodes.usage);
    return value as string;
  };
  return {
    ask,
    async askSecretly(question) {
      isSecret = isTerminal;
      try {
        return await ask(question);
      } finally {
        isSecret = false;
        if (isTerminal) stderr.write('\n');
      }
    },
    close: () => reader.close(),
  };
}
