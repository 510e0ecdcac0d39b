import type { Id } from '@corral/contract';
import { Link, notFound } from '@tanstack/react-router';
import { GitCompareArrows } from 'lucide-react';
import { terms } from '../../../copy/terms.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { repositoryQuery } from '../../../data/queries-repositories.ts';
import { isNotFound } from '../../../data/query-client.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { AssetDrawer } from '../../../parts/asset/AssetDrawer.tsx';
import { MetadataCard } from '../../../parts/metadata/MetadataCard.tsx';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { ButtonLink } from '../../../ui/action/ButtonLink.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { packagesCopy } from '../copy.ts';
import type { FileSearch } from '../files/file-search.ts';
import { Files } from '../files/Files.tsx';
import { setVersionMetadata } from '../mutations.ts';
import { PackageCrumb } from '../PackageCrumb.tsx';
import { PublicationNotice } from '../publish/PublicationNotice.tsx';
import { versionQuery } from '../queries.ts';
import { fileRemoval } from '../settings/file-removal.ts';
import { VersionSettings } from '../settings/VersionSettings.tsx';
import { Tags } from '../Tags.tsx';
import { SetTagButton } from '../tags/SetTagButton.tsx';
import { versionName } from '../version-name.ts';
import { InstallButton } from './InstallButton.tsx';
import { VersionCommands } from './VersionCommands.tsx';

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
  const { canWrite } = useLoadedQuery(repositoryQuery(repositoryId)).data;
  const run = useRun();
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
            {version.tags.length > 0 && <Tags tags={version.tags} />}
          </>
        }
        meta={
          <>
            {words.created} <RelativeTime at={version.createdAt} />
          </>
        }
        actions={
          <>
            <InstallButton {...params} versionId={versionId} isMember={canWrite} />
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
          notice={(uploads) => <PublicationNotice {...{ version, uploads }} />}
        />
        <MetadataCard
          metadata={version.metadata}
          onChange={canWrite ? (metadata) => run(setVersionMetadata, { versionId, metadata }) : undefined}
        />
        <VersionCommands version={version} />
      </div>
      {canWrite && (
        <div className="mt-5 flex max-w-[43.75rem] flex-col gap-5">
          <VersionSettings {...{ params, version }} />
        </div>
      )}
      <AssetDrawer
        repositoryId={repositoryId}
        opened={opened}
        removal={(asset) => fileRemoval(run, { version, asset, filename: opened?.filename ?? '' })}
        onClose={() => change({ file: undefined })}
      />
    </Page>
  );
}
