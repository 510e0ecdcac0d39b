import type { Command } from 'commander';
import { orConflict } from '../hub/conflict.ts';
import { findVersion, versionHelp } from '../hub/find-repository.ts';
import { isTagConflict } from '../hub/package-tags.ts';
import { plainText } from '../output/plain-text.ts';
import { withExample, type CommandContext } from './command-context.ts';

/** `corral versions tag`, `untag` and `lock`. */
export function addVersionTags(versions: Command, context: CommandContext): void {
  const tagging = tagged(
    versions.command('tag').description('Points tags at a version; tags of other versions move here.'),
  )
    .option('--lock', 'lock them: nobody can move or remove them again')
    .option('--no-move', 'fail when a tag points at another version')
    .action((given: string, tags: string[], options: { lock?: boolean; move: boolean }) =>
      tag(context, given, tags, { locked: options.lock === true, reassign: options.move }),
    );
  withExample(
    tagging,
    'corral versions tag firmware/press@1.4.0 stable',
    'corral versions tag firmware/press@stable~1 stable',
  );
  const locking = tagged(
    versions.command('lock').description('Locks tags of a version: nobody can move or remove them again.'),
  ).action((given: string, tags: string[]) => tag(context, given, tags, { locked: true, reassign: false }));
  withExample(locking, 'corral versions lock firmware/press@1.4.0 1.4.0');
  const untagging = tagged(versions.command('untag').description('Removes tags from a version.')).action(
    (given: string, tags: string[]) => untag(context, given, tags),
  );
  withExample(untagging, 'corral versions untag firmware/press@1.4.0 beta');
}

const tagged = (command: Command): Command =>
  command.argument('<version>', versionHelp).argument('<tags...>', 'one tag or several');

interface TagOptions {
  readonly locked: boolean;
  readonly reassign: boolean;
}

async function tag(
  context: CommandContext,
  given: string,
  tags: string[],
  options: TagOptions,
): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const versionId = await findVersion(hub, given);
  const input = { versionId, tags: tags.map((name) => ({ tag: name, ...options })) };
  const rules = { mayMove: options.reassign, isRemoval: false };
  await orConflict(hub.invoke('repositories_TagPackageVersion', input), () =>
    isTagConflict(hub, versionId, tags, rules),
  );
  const verb = options.locked ? 'is locked at' : 'points at';
  out.result(input, () =>
    tags.map((name) => `${out.style.green('✓')} ${plainText(name)} ${verb} ${versionId}`).join('\n'),
  );
}

async function untag(context: CommandContext, given: string, tags: string[]): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const versionId = await findVersion(hub, given);
  const input = { versionId, tags: tags.map((name) => ({ tag: name })) };
  const rules = { mayMove: true, isRemoval: true };
  await orConflict(hub.invoke('repositories_UntagPackageVersion', input), () =>
    isTagConflict(hub, versionId, tags, rules),
  );
  out.result(input, () =>
    tags.map((name) => `${out.style.green('✓')} ${plainText(name)} is removed.`).join('\n'),
  );
}
