import type { Json, Output as Answer } from '@corral/contract';
import type { Command } from 'commander';
import { findVersion, versionHelp } from '../hub/find-repository.ts';
import { formatBytes } from '../output/format.ts';
import type { Output } from '../output/output.ts';
import { plainText } from '../output/plain-text.ts';
import { table, words } from '../output/table.ts';
import { withExample, type CommandContext } from './command-context.ts';

type Comparison = Answer<'repositories_CompareVersions'>;

/** `corral versions compare`. */
export function addVersionComparison(versions: Command, context: CommandContext): void {
  const command = versions
    .command('compare')
    .description('Compares the files and metadata of two versions of a package.')
    .argument('<from>', versionHelp)
    .argument('<to>', versionHelp)
    .action((from: string, to: string) => compare(context, from, to));
  withExample(command, 'corral versions compare firmware/press@stable~1 firmware/press@stable');
}

async function compare(context: CommandContext, from: string, to: string): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const [fromVersionId, toVersionId] = await Promise.all([findVersion(hub, from), findVersion(hub, to)]);
  const answer = await hub.invoke('repositories_CompareVersions', { fromVersionId, toVersionId });
  out.result(answer, () => [filesText(answer, out), ...metadataText(answer, out)].join('\n\n'));
}

function filesText({ files, totalBytes, bytesToFetch }: Comparison, out: Output): string {
  const size = (file: { readonly size: number } | undefined): string =>
    file === undefined ? '' : formatBytes(file.size);
  const rows = files.map((file) => [
    plainText(file.filename),
    file.hasOtherMetadata ? `${file.change}, other metadata` : file.change,
    size(file.from),
    size(file.to),
  ]);
  const list =
    files.length === 0
      ? 'Neither has files.'
      : table([words('FILE'), 'CHANGE', words('FROM'), words('TO')], rows, out);
  return `${list}\n\nA device that has the first fetches ${formatBytes(bytesToFetch)} of ${formatBytes(totalBytes)}.`;
}

function metadataText({ metadata }: Comparison, out: Output): string[] {
  if (metadata.length === 0) return [];
  const value = (json: Json | undefined): string =>
    json === undefined ? '' : plainText(JSON.stringify(json));
  const rows = metadata.map(({ key, from, to }) => [plainText(key), value(from), value(to)]);
  return [table([words('METADATA'), words('FROM'), words('TO')], rows, out)];
}
