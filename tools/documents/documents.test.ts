import { expect, test } from 'vitest';
import { isCommands, readPages, scriptOf, type Block, type Page } from './markdown.ts';
import { Sandbox } from './sandbox.ts';
import { blockRuns, type BlockRun } from './block-runs.ts';

const pages = readPages();

/** The blocks of commands of a page with how each is run. */
function runsOf({ name, blocks }: Page): { block: Block; run: BlockRun }[] {
  const known = blockRuns[name] ?? [];
  const commands = blocks.filter(isCommands);
  const begins = commands.map(({ text }, index) => text.slice(0, known[index]?.begins.length ?? 30));
  expect(begins, `block-runs.ts has each block of ${name}, in their order`).toEqual(
    known.map((run) => run.begins),
  );
  return known.map((run, index) => ({ run, block: commands[index]! }));
}

async function runPage(machine: Sandbox, page: Page): Promise<void> {
  for (const { block, run } of runsOf(page)) {
    if (run.notRun !== undefined) continue;
    try {
      await run.before?.(machine);
      const output = await machine.run(scriptOf(block), run);
      await run.after?.(machine, output);
    } catch (error) {
      throw new Error(`${block.place} cannot be run: ${(error as Error).message}`, { cause: error });
    }
  }
}

test('a new administrator can run every block of commands, or is told in block-runs.ts why a machine cannot', async () => {
  const withCommands = pages.filter(({ blocks }) => blocks.some(isCommands));
  expect(withCommands.map(({ name }) => name).toSorted()).toEqual(Object.keys(blockRuns).toSorted());
  await using machine = await Sandbox.make();
  for (const name of Object.keys(blockRuns))
    await runPage(
      machine,
      withCommands.find((page) => page.name === name)!,
    );
});
