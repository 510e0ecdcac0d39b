import type { Id } from '@corral/contract';
import { Link, notFound } from '@tanstack/react-router';
import { GitCompareArrows } from 'lucide-react';
import { terms } from '../../../copy/terms.ts';
import { isNotFound } from '../../../data/query-client.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { AssetDrawer } from '../../../parts/asset/AssetDrawer.tsx';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { ButtonLink } from '../../../ui/action/ButtonLink.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { packagesCopy } from '../copy.ts';
import type { FileSearch } from '../files/file-search.ts';
import { Files } from '../files/Files.tsx';
import { PackageCrumb } from '../PackageCrumb.tsx';
import { versionQuery } from '../queries.ts';
import { Tags } from '../Tags.tsx';
import { SetTagButton } from '../tags/SetTagButton.tsx';
import { versionName } from '../version-name.ts';
import { VersionCommands } from './VersionCommands.tsx';
import { VersionMetadata } from './VersionMetadata.tsx';

const words = packagesCopy.version;

/** A version of a package: its tags, files and metadata. */
export function VersionPage({
  repositoryId,
  packageId,
  versionId,
}: {
  repositoryId: Id<'repository'>;
  packageId: Id<'package'>;
  versionId: Id<'packageVersion'>;
}) {
  const params = { repositoryId, packageId };
  const { data: version, error } = useLoadedQuery(versionQuery(versionId));
  // Deleted, or closed to the user, while the page was open.
  if (isNotFound(error)) throw notFound();
  const [search, change] = useUrlSearch<FileSearch>();
  const name = versionName(version);
  const opened = version.assets.find(({ filename }) => filename === search.file);
  return (
    <Page>
      <SectionHeader
        title={words.title(name)}
        parents={<PackageCrumb params={params} name={version.packageName} />}
        name={name}
        badges={
          <>
            <IdTag value={versionId} what={terms.ids.version} length={18} />
            <Tags tags={version.tags} />
          </>
        }
        meta={
          <>
            {words.created} <RelativeTime at={version.createdAt} />
          </>
        }
        actions={
          <>
            <SetTagButton params={params} versions={[{ value: versionId, label: name }]} />
            <ButtonLink
              icon={<GitCompareArrows size={15} aria-hidden />}
              render={
                <Link
                  to="/repositories/$repositoryId/packages/$packageId/compare"
                  params={params}
                  search={{ to: versionId }}
                />
              }
            >
              {words.compare}
            </ButtonLink>
          </>
        }
      />
      <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_16.5rem] min-[90rem]:grid-cols-[minmax(0,1fr)_22.5rem]">
        <Files
          owner={{ repositoryId, kind: 'version', id: versionId }}
          files={version.assets}
          onOpen={(file) => change({ file })}
        />
        <VersionMetadata metadata={version.metadata} />
        <VersionCommands version={version} />
      </div>
      <AssetDrawer repositoryId={repositoryId} opened={opened} onClose={() => change({ file: undefined })} />
    </Page>
  );
}
