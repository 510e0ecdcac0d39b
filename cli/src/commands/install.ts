import type { Id } from '@corral/contract';
import { type Command, Option } from 'commander';
import { actOnFleet } from '../fleet/act-on-fleet.ts';
import { definitionOf, withOperationOptions, type OperationOptions } from '../fleet/operation-options.ts';
import { findVersion, versionHelp } from '../hub/find-repository.ts';
import type { Hub } from '../hub/hub.ts';
import { withExample, type CommandContext } from './command-context.ts';

/** How a version is installed on a device. */
export type Recipe = (typeof recipes)[number];

const recipes = ['rugix', 'command', 'property'] as const;

interface Options extends OperationOptions {
  readonly recipe?: Recipe;
}

/** `corral install`. */
export function addInstall(program: Command, context: CommandContext): void {
  const command = program
    .command('install')
    .description(
      'Installs a version on the devices of a project: says on which, asks, and shows how it goes.',
    )
    .argument('<version>', versionHelp)
    .addOption(
      new Option(
        '--recipe <recipe>',
        'how devices install it; by default the kind of the package says so',
      ).choices(recipes),
    )
    .action((version: string, options: Options) => install(context, version, options));
  withExample(
    withOperationOptions(command),
    "corral install firmware/press@stable --on 'label.ring:canary' --preview",
    'corral install firmware/press@1.4.0 --on \'installed:firmware/press@"<1.4"\' --stages 1,10,100',
  );
}

async function install(context: CommandContext, version: string, options: Options): Promise<void> {
  const hub = context.hub();
  await installVersion(context, hub, { name: version, versionId: await findVersion(hub, version) }, options);
}

/** Installs a version on the devices that a filter selects. */
export async function installVersion(
  context: CommandContext,
  hub: Hub,
  version: { readonly name: string; readonly versionId: Id<'packageVersion'> },
  options: Options,
): Promise<void> {
  const { recipe } = options;
  const definition = {
    ...definitionOf(options, `Install ${version.name}`),
    steps: [],
    install: { versionId: version.versionId, ...(recipe === undefined ? {} : { recipe }) },
  };
  await actOnFleet(context, hub, definition, options);
}
