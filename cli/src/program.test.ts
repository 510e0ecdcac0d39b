import { CommanderError, type Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from './program.ts';

/** The program, with the text that it has printed. */
function recordedProgram() {
  let printed = '';
  const stdout = { write: (text: string) => (printed += text) } as unknown as NodeJS.WriteStream;
  const { stdin, stderr } = process;
  const stopSignal = () => AbortSignal.abort();
  const program = createProgram({
    env: {},
    cwd: '/',
    home: '/nonexistent',
    stdin,
    stdout,
    stderr,
    stopSignal,
  });
  return { program, printed: () => printed };
}

/** The paths of all commands that have no commands below them. */
function leavesOf({ commands }: Command, path: readonly string[] = []): string[][] {
  return commands.flatMap((command) => {
    const own = [...path, command.name()];
    return command.commands.length === 0 ? [own] : leavesOf(command, own);
  });
}

async function helpOf(path: readonly string[]): Promise<string> {
  const { program, printed } = recordedProgram();
  const ended = program.parseAsync(['node', 'corral', ...path, '--help']);
  await expect(ended).rejects.toSatisfy((error) => error instanceof CommanderError && error.exitCode === 0);
  return printed();
}

test('the help names the exit codes', async () => {
  const help = await helpOf([]);
  expect(help).toContain('Usage: corral');
  expect(help).toContain('Exit codes: 0 done');
});

const leaves = leavesOf(recordedProgram().program);

test('all commands are found', () => expect(leaves.length).toBeGreaterThan(50));

test.each(leaves.map((path) => [path]))('the help of %j has its usage and an example', async (path) => {
  const help = await helpOf(path);
  expect(help).toContain(`Usage: corral ${path.join(' ')}`);
  expect(help).toMatch(/Examples?:\n {2}\S.*corral |Examples?:\n {2}corral /);
});
