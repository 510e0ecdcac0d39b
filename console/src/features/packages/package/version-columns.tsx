import type { Id, Output } from '@corral/contract';
import { linkOptions } from '@tanstack/react-router';
import { terms } from '../../../copy/terms.ts';
import { linkColumn } from '../../../parts/link-column.tsx';
import { idColumn, timeColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { packagesCopy } from '../copy.ts';
import { Tags } from '../Tags.tsx';
import { versionName } from '../version-name.ts';

/** A version in the list of a package. */
export type ListedVersion = Output<'repositories_QueryPackageVersions'>['versions'][number];

const words = packagesCopy.package;

/** The ids that the page of a package has in its address. */
export interface PackageParams {
  readonly repositoryId: Id<'repository'>;
  readonly packageId: Id<'package'>;
}

/** The link to a version. */
export const versionLink = (params: PackageParams, versionId: string) =>
  linkOptions({
    to: '/repositories/$repositoryId/packages/$packageId/versions/$versionId',
    params: { ...params, versionId: versionId as Id<'packageVersion'> },
  });

/** The columns of the versions of a package; that of names only if some version has one. */
export function versionColumns(params: PackageParams, hasNames: boolean): DataColumn<ListedVersion>[] {
  const name: DataColumn<ListedVersion> = {
    id: 'name',
    header: words.columns.name,
    value: (version) => version.name,
    cell: (version) => <span className="font-head wrap-anywhere text-ink">{version.name ?? '–'}</span>,
    onPhone: 'title',
  };
  return [
    idColumn({
      id: 'id',
      header: words.columns.id,
      of: ({ versionId }) => versionId,
      what: terms.ids.version,
      length: 16,
      isSortable: false,
      onPhone: hasNames ? 'meta' : 'title',
    }),
    ...(hasNames ? [name] : []),
    timeColumn({ id: 'createdAt', header: words.columns.createdAt, of: ({ createdAt }) => createdAt }),
    {
      id: 'tags',
      header: words.columns.tags,
      value: ({ tags }) => tags.map(({ tag }) => tag).join(' '),
      isSortable: false,
      cell: ({ tags }) => <Tags tags={tags} />,
      phoneCell: ({ tags }) => tags.length > 0 && <Tags tags={tags} />,
    },
    linkColumn({
      label: packagesCopy.view,
      nameOf: versionName,
      linkOf: ({ versionId }) => versionLink(params, versionId),
    }),
  ];
}
