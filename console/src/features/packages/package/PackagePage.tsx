import type { Id } from '@corral/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { Files, GitCompareArrows, History, Tags as TagsIcon } from 'lucide-react';
import { useMemo } from 'react';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { rowsPerPage } from '../../../parts/list-limits.ts';
import { useVisit } from '../../../parts/recent-items.ts';
import { ResourceListPage } from '../../../parts/ResourceListPage.tsx';
import { searchedRows } from '../../../parts/searched-rows.ts';
import { ButtonLink } from '../../../ui/action/ButtonLink.tsx';
import { packagesCopy } from '../copy.ts';
import { packageQuery, packageVersionsQuery } from '../queries.ts';
import { useNewVersion } from '../publish/use-new-version.ts';
import { PackageSettingsLink } from '../settings/PackageSettingsLink.tsx';
import { Ladder } from './ladder/Ladder.tsx';
import { versionColumns, versionLink } from './version-columns.tsx';

const words = packagesCopy.package;

/** A package: its versions, newest first, with their tags. */
export function PackagePage(params: { repositoryId: Id<'repository'>; packageId: Id<'package'> }) {
  const { repositoryId, packageId } = params;
  const navigate = useNavigate();
  const { name, kind, versionCount } = useLoadedQuery(packageQuery(packageId)).data;
  const { versions } = useLoadedQuery(packageVersionsQuery(packageId, rowsPerPage)).data;
  useVisit({ kind: 'package', id: packageId, name, scopeId: repositoryId });
  const hasNames = versions.some((version) => version.name !== undefined);
  const columns = useMemo(
    () => versionColumns({ repositoryId, packageId }, hasNames),
    [repositoryId, packageId, hasNames],
  );
  return (
    <ResourceListPage
      title={name}
      label={words.versions}
      name={name}
      meta={() => [kind, words.summary(versionCount)].filter(Boolean).join(' · ')}
      actions={
        <>
          <ButtonLink
            icon={<Files size={15} aria-hidden />}
            render={<Link to="/repositories/$repositoryId/packages/$packageId/files" params={params} />}
          >
            {words.files}
          </ButtonLink>
          <ButtonLink
            icon={<History size={15} aria-hidden />}
            render={<Link to="/repositories/$repositoryId/packages/$packageId/tags" params={params} />}
          >
            {words.history}
          </ButtonLink>
          <ButtonLink
            icon={<GitCompareArrows size={15} aria-hidden />}
            render={<Link to="/repositories/$repositoryId/packages/$packageId/compare" params={params} />}
          >
            {words.compare}
          </ButtonLink>
          <PackageSettingsLink {...params} />
        </>
      }
      intro={<Ladder {...{ params, versions }} />}
      source={searchedRows((asked) => packageVersionsQuery(packageId, rowsPerPage, asked), {
        rowsOf: (answer) => answer.versions,
        keyOf: ({ versionId }) => versionId,
        orders: ['name', 'createdAt'],
        total: versionCount,
      })}
      create={useNewVersion(params)}
      columns={columns}
      rowKey={({ versionId }) => versionId}
      filterLabel={words.filter}
      csvName={words.csvName}
      onOpen={({ versionId }) => void navigate(versionLink(params, versionId))}
      empty={{ icon: <TagsIcon size={20} aria-hidden />, title: words.emptyTitle, text: words.emptyText }}
    />
  );
}
