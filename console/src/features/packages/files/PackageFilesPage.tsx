import type { Id } from '@corral/contract';
import { useRun } from '../../../data/action-mutation.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { AssetDrawer } from '../../../parts/asset/AssetDrawer.tsx';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { Page } from '../../../ui/layout/Page.tsx';
import { packagesCopy } from '../copy.ts';
import { PackageCrumb } from '../PackageCrumb.tsx';
import { packageQuery } from '../queries.ts';
import { packageFileRemoval } from '../settings/file-removal.ts';
import type { FileSearch } from './file-search.ts';
import { Files } from './Files.tsx';

const words = packagesCopy.files;

/** The files of a package itself. */
export function PackageFilesPage(params: { repositoryId: Id<'repository'>; packageId: Id<'package'> }) {
  const { repositoryId, packageId } = params;
  const { data: details } = useLoadedQuery(packageQuery(packageId));
  const { name, assets } = details;
  const run = useRun();
  const [search, change] = useUrlSearch<FileSearch>();
  const opened = assets.find(({ filename }) => filename === search.file);
  return (
    <Page>
      <SectionHeader
        title={words.packageTitle}
        name={words.packageTitle}
        parents={<PackageCrumb params={params} name={name} />}
        meta={words.ofPackage}
      />
      <Files
        owner={{ repositoryId, kind: 'package', id: packageId }}
        files={assets}
        onOpen={(file) => change({ file })}
      />
      <AssetDrawer
        repositoryId={repositoryId}
        opened={opened}
        removal={(asset) => packageFileRemoval(run, { details, asset, filename: opened?.filename ?? '' })}
        onClose={() => change({ file: undefined })}
      />
    </Page>
  );
}
