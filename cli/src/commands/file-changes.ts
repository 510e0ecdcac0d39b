import { basename } from 'node:path';
import type { DigestedFile } from '@corral/client/node';
import type { Command } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { addFile, readFiles, removeFile, type FileOwner, type OwnedFile } from '../hub/file-owner.ts';
import type { Hub } from '../hub/hub.ts';
import { plainText } from '../output/plain-text.ts';
import { withExample, type CommandContext } from './command-context.ts';
import { uploadFiles } from './upload-files.ts';

/** The commands of what has files. */
export interface FileOwners {
  readonly what: 'version' | 'package';
  /** One of them in an example. */
  readonly example: string;
  /** Adds its argument to a command. */
  named(command: Command): Command;
  /** Rejected with a CliError if there is none. */
  find(hub: Hub, given: string): Promise<FileOwner>;
}

/** Adds `upload` and `remove-file` to `corral versions` or `corral packages`. */
export function addFileChanges(parent: Command, context: CommandContext, owners: FileOwners): void {
  const { what, example, named } = owners;
  const uploading = named(
    parent
      .command('upload')
      .description(`Adds files to a ${what}; bytes that the repository has are not sent, damaged ones are.`),
  )
    .argument('<files...>', `their names at the ${what} are the last parts of their paths`)
    .action((given: string, files: string[]) => upload(context, owners, given, files));
  withExample(uploading, `corral ${parent.name()} upload ${example} press.img notes.txt`);
  const removing = named(parent.command('remove-file').description(`Removes a file from a ${what}.`))
    .argument('<file>', `its name at the ${what}`)
    .action((given: string, file: string) => remove(context, owners, given, file));
  withExample(removing, `corral ${parent.name()} remove-file ${example} notes.txt`);
}

async function upload(
  context: CommandContext,
  { what, find }: FileOwners,
  given: string,
  paths: string[],
): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  mustDiffer(paths.map((path) => basename(path).normalize()));
  const owner = await find(hub, given);
  const { repositoryId, files: present } = await readFiles(hub, owner);
  const check = (hashed: readonly DigestedFile[]): void => mustBeFree(what, hashed, present);
  const files = await uploadFiles(context, hub, { repositoryId, paths, check });
  for (const { path, assetId } of files) {
    const filename = basename(path).normalize();
    const isPresent = present.some((file) => file.filename === filename && file.assetId === assetId);
    if (!isPresent && !(await addFile(hub, owner, { assetId, filename }))) throw nameTaken(what, filename);
  }
  out.result({ ...owner, files }, () =>
    files
      .map(({ path, status }) => `${out.style.green('✓')} ${plainText(basename(path))}: ${status}`)
      .join('\n'),
  );
}

function mustDiffer(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new CliError(`Several files are called "${plainText(twice)}": rename one of them.`, exitCodes.usage);
}

/** The same file may be uploaded again, which repairs it. */
function mustBeFree(
  what: FileOwners['what'],
  hashed: readonly DigestedFile[],
  present: readonly OwnedFile[],
): void {
  const digests = new Map(present.map(({ filename, digest }) => [filename, digest]));
  for (const { path, digest } of hashed) {
    const name = basename(path).normalize();
    if ((digests.get(name) ?? digest) !== digest) throw nameTaken(what, name);
  }
}

const nameTaken = (what: FileOwners['what'], name: string): CliError =>
  new CliError(
    `The ${what} has another file "${plainText(name)}" already: rename yours, or remove that one.`,
    exitCodes.conflict,
  );

async function remove(
  context: CommandContext,
  { find }: FileOwners,
  given: string,
  filename: string,
): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const owner = await find(hub, given);
  await removeFile(hub, owner, filename);
  out.result({ ...owner, filename }, () => `${out.style.green('✓')} ${plainText(filename)} is removed.`);
}
