import type { Id, Output } from '@corral/contract';
import { linkOptions } from '@tanstack/react-router';
import { linkColumn } from '../../parts/link-column.tsx';
import { countColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { packagesCopy } from './copy.ts';
import { versionName } from './version-name.ts';

type Package = Output<'repositories_QueryRepositoryPackages'>['packages'][number];

const words = packagesCopy.columns;

/** The link to a package. */
export const packageLink = (repositoryId: Id<'repository'>, packageId: Id<'package'>) =>
  linkOptions({ to: '/repositories/$repositoryId/packages/$packageId', params: { repositoryId, packageId } });

/** The columns of the packages of a repository. */
export function packageColumns(repositoryId: Id<'repository'>): DataColumn<Package>[] {
  return [
    nameColumn({ id: 'name', header: words.name, of: ({ name }) => name }),
    { id: 'kind', header: words.kind, value: ({ kind }) => kind },
    {
      id: 'newest',
      header: words.newest,
      value: ({ newestVersion }) => newestVersion && versionName(newestVersion),
      cell: ({ newestVersion }) => <Newest of={newestVersion} />,
    },
    timeColumn({
      id: 'published',
      header: words.published,
      of: ({ newestVersion }) => newestVersion?.createdAt,
    }),
    countColumn({ id: 'versions', header: words.versions, of: ({ versionCount }) => versionCount }),
    linkColumn({
      label: packagesCopy.view,
      nameOf: ({ name }) => name,
      linkOf: ({ packageId }) => packageLink(repositoryId, packageId),
    }),
  ];
}

function Newest({ of: newest }: { of: Package['newestVersion'] }) {
  if (newest === undefined) return <span className="text-ink3">{packagesCopy.noVersion}</span>;
  return <span className="font-mono text-mono wrap-anywhere">{versionName(newest)}</span>;
}
