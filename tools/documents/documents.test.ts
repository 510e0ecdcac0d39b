import { expect, test } from 'vitest';
import { isCommands, readPages, scriptOf, type Block, type Page } from './markdown.ts';
import { Sandbox } from './sandbox.ts';
import { treatments, type Treatment } from './treatments.ts';

const pages = readPages();

/** The blocks of commands of a page with what is done with them. */
function treated({ name, blocks }: Page): { block: Block; treatment: Treatment }[] {
  const known = treatments[name] ?? [];
  const commands = blocks.filter(isCommands);
  const begins = commands.map(({ text }, index) => text.slice(0, known[index]?.begins.length ?? 30));
  expect(begins, `treatments.ts has each block of ${name}, in their order`).toEqual(
    known.map((treatment) => treatment.begins),
  );
  return known.map((treatment, index) => ({ treatment, block: commands[index]! }));
}

async function followPage(machine: Sandbox, page: Page): Promise<void> {
  for (const { block, treatment } of treated(page)) {
    if (treatment.notRun !== undefined) continue;
    try {
      await treatment.before?.(machine);
      const output = await machine.follow(scriptOf(block), treatment);
      await treatment.after?.(machine, output);
    } catch (error) {
      throw new Error(`${block.place} cannot be followed: ${(error as Error).message}`, { cause: error });
    }
  }
}

test('a new administrator can run every block of commands, or is told in treatments.ts why a machine cannot', async () => {
  const withCommands = pages.filter(({ blocks }) => blocks.some(isCommands));
  expect(withCommands.map(({ name }) => name).toSorted()).toEqual(Object.keys(treatments).toSorted());
  await using machine = await Sandbox.make();
  for (const name of Object.keys(treatments))
    await followPage(
      machine,
      withCommands.find((page) => page.name === name)!,
    );
});
