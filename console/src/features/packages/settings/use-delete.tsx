import type { Id, Output } from '@corral/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { useForget } from '../../../parts/use-forget.ts';
import { cancelUploads } from '../files/uploads/uploads.ts';
import { deletePackage, deleteVersion } from '../mutations.ts';
import { packageLink } from '../package-columns.tsx';
import type { PackageParams } from '../package/version-columns.tsx';
import { versionName } from '../version-name.ts';
import { endPublication } from '../publish/publications.ts';
import { packageSettingsCopy } from './copy.ts';

/** A function that deletes the package after its name was typed, and goes to the packages of the repository. */
export function useDeletePackage({
  repositoryId,
  packageId,
  name,
  versionCount,
}: Output<'repositories_GetPackageDetails'>): () => void {
  const words = packageSettingsCopy.deletePackage;
  const navigate = useNavigate();
  const run = useRun();
  const forget = useForget();
  return () =>
    void confirm({
      title: words.title(name),
      text: (
        <>
          <p>{words.text(versionCount)}</p>
          <p className="mt-2">{words.devices}</p>
        </>
      ),
      verb: words.verb,
      typedName: name,
      action: async () => {
        await run(deletePackage, { packageId });
        await navigate({
          to: '/repositories/$repositoryId/packages',
          params: { repositoryId: repositoryId as Id<'repository'> },
        });
        forget('packageId', packageId);
      },
      done: words.done(name),
    });
}

/** A function that deletes the version after a question with the tags that go with it, and goes to the package. */
export function useDeleteVersion(
  { repositoryId, packageId }: PackageParams,
  version: Output<'repositories_GetPackageVersionDetails'>,
): () => void {
  const words = packageSettingsCopy.deleteVersion;
  const client = useQueryClient();
  const navigate = useNavigate();
  const run = useRun();
  const forget = useForget();
  const { versionId } = version;
  const name = versionName(version);
  const tags = version.tags.map(({ tag }) => tag);
  return () =>
    void confirm({
      title: words.title(name),
      text: (
        <>
          <p>{words.text}</p>
          <p className="mt-2">{tags.length === 0 ? words.noTags : words.tags(tags)}</p>
        </>
      ),
      verb: words.verb,
      typedName: tags.length === 0 ? undefined : name,
      action: async () => {
        await run(deleteVersion, { versionId });
        cancelUploads(client, versionId);
        endPublication(client, versionId);
        await navigate(packageLink(repositoryId, packageId));
        forget('versionId', versionId);
      },
      done: words.done(name),
    });
}
