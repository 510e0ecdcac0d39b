import type { Id, Output } from '@corral/contract';
import { repositoryQuery } from '../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { CommandsCard } from '../../../parts/CommandsCard.tsx';
import { curlCommand, publicUrl, pullCommand } from '../../../parts/publish-commands.ts';
import { packagesCopy } from '../copy.ts';

const words = packagesCopy.version;

/** The commands that fetch a version: by a tag if it has one, else by its id. Nothing for a version without files. */
export function VersionCommands({
  version: { repositoryId, versionId, packageName, tags, assets },
}: {
  version: Output<'repositories_GetPackageVersionDetails'>;
}) {
  const { name, visibility } = useLoadedQuery(repositoryQuery(repositoryId as Id<'repository'>)).data;
  // A locked tag always means this version.
  const tag = (tags.find(({ locked }) => locked) ?? tags[0])?.tag;
  const [file] = assets;
  if (file === undefined) return null;
  const commands = [
    { does: words.pull, code: pullCommand(tag === undefined ? versionId : `${name}/${packageName}@${tag}`) },
    ...(visibility === 'Public' && tag !== undefined
      ? [
          {
            does: words.anyone,
            code: curlCommand(
              publicUrl(window.location.origin, [name, packageName, tag, file.filename]),
              file.filename,
            ),
          },
        ]
      : []),
  ];
  return <CommandsCard hint={words.commandsHint} commands={commands} className="xl:col-span-2" />;
}
