import { readList } from '@corral/client';
import type { Output as Answer } from '@corral/contract';
import type { Command } from 'commander';
import { findPackage } from '../hub/find-repository.ts';
import { formatTime } from '../output/format.ts';
import { plainText } from '../output/plain-text.ts';
import { table, words, type Cell } from '../output/table.ts';
import { wholeNumber } from './arguments.ts';
import { withExample, type CommandContext } from './command-context.ts';

type Move = Answer<'repositories_QueryTagHistory'>['moves'][number];

interface Options {
  readonly tag?: string;
  readonly limit: number;
}

/** `corral packages history`. */
export function addTagHistory(packages: Command, context: CommandContext): void {
  const command = packages
    .command('history')
    .description('Lists what the tags of a package pointed at, newest change first.')
    .argument('<package>', 'repository/package, or the id of the package')
    .option('--tag <tag>', 'only this tag')
    .option('--limit <count>', 'how many', wholeNumber(1, 100_000), 100)
    .action((given: string, options: Options) => history(context, given, options));
  withExample(command, 'corral packages history firmware/press --tag stable');
}

async function history(context: CommandContext, given: string, { tag, limit }: Options): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const packageId = await findPackage(hub, given);
  const input = { packageId, limit, ...(tag === undefined ? {} : { tag }) };
  const answer = await readList(hub, 'repositories_QueryTagHistory', input);
  out.result(answer, () => {
    if (answer.moves.length === 0) return 'No tag has been set yet.';
    const rows = answer.moves.map((move) => row(move));
    return table(['WHEN', words('TAG'), words('FROM'), words('TO'), 'LOCKED', words('BY')], rows, out);
  });
}

function row({ movedAt, tag, from, to, locked, actor }: Move): Cell[] {
  return [
    formatTime(movedAt),
    plainText(tag),
    from === undefined ? 'new' : versionText(from),
    to === undefined ? 'removed' : versionText(to),
    locked ? 'yes' : 'no',
    actorText(actor),
  ];
}

function versionText({ versionId, name, exists }: NonNullable<Move['to']>): string {
  return `${plainText(name ?? versionId)}${exists ? '' : ' (deleted)'}`;
}

function actorText(actor: Move['actor']): string {
  if (actor === undefined) return '';
  return 'userId' in actor ? actor.userId : actor.actor;
}
