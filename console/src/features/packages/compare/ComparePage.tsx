import type { Id } from '@corral/contract';
import { useQueries } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { ArrowLeftRight, GitCompareArrows } from 'lucide-react';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { rowsPerPage } from '../../../parts/list-limits.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { Combobox } from '../../../ui/form/Combobox.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { EmptyState } from '../../../ui/layout/EmptyState.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { packagesCopy } from '../copy.ts';
import type { ListedVersion } from '../package/version-columns.tsx';
import { PackageCrumb } from '../PackageCrumb.tsx';
import { packageQuery, packageVersionsQuery, versionQuery } from '../queries.ts';
import { versionOptions } from '../version-options.ts';
import { Comparison } from './Comparison.tsx';
import type { ShownFiles } from './shown-choice.ts';

const words = packagesCopy.compare;
type VersionId = Id<'packageVersion'>;
const pagePath = '/repositories/$repositoryId/packages/$packageId/compare';

/** The search parameters of a comparison: the ids of the versions, and which files show; by default those that differ. */
export type CompareSearch = { from?: string; to?: string; show?: Exclude<ShownFiles, 'changes'> };

/** Compares two versions of a package. Without a choice, the newest one with the one before. */
export function ComparePage(params: { repositoryId: Id<'repository'>; packageId: Id<'package'> }) {
  const { packageId } = params;
  const { name } = useLoadedQuery(packageQuery(packageId)).data;
  const { versions, next: further } = useLoadedQuery(packageVersionsQuery(packageId, rowsPerPage)).data;
  const router = useRouter();
  const [search, change] = useUrlSearch<CompareSearch>();
  const [from, to] = chosen(
    versions.map(({ versionId }) => versionId),
    search,
  );
  const older = useUnlisted(packageId, versions, search);
  const options = versionOptions([...versions, ...older]);
  return (
    <Page>
      <SectionHeader
        title={words.title}
        name={words.title}
        parents={<PackageCrumb params={params} name={name} />}
        meta={words.text}
      />
      {versions.length < 2 ? (
        <Card>
          <EmptyState
            icon={<GitCompareArrows size={20} aria-hidden />}
            title={words.needsTwoTitle}
            text={words.needsTwoText}
          />
        </Card>
      ) : (
        <>
          <div className="mb-5 flex flex-wrap items-end gap-3">
            <Combobox
              label={words.from}
              className="w-full sm:w-72"
              options={options}
              value={from ?? null}
              onValueChange={(next) => change({ from: next ?? undefined, to })}
            />
            <Button
              label={words.swap}
              icon={<ArrowLeftRight size={15} aria-hidden />}
              onClick={() => change({ from: to, to: from })}
            />
            <Combobox
              label={words.to}
              className="w-full sm:w-72"
              options={options}
              value={to ?? null}
              onValueChange={(next) => change({ from, to: next ?? undefined })}
            />
          </div>
          {further !== undefined && (
            <p className="mb-5 text-small text-ink3">{words.newestOnly(versions.length)}</p>
          )}
          {from === undefined || to === undefined ? (
            <p className="text-body text-ink2">{words.choose}</p>
          ) : (
            <Comparison
              from={from as VersionId}
              to={to as VersionId}
              shown={search.show ?? 'changes'}
              onShow={(shown) => change({ show: showOf(shown) })}
              hrefOf={(shown) => {
                const show = showOf(shown);
                const asked = { from, to, ...(show === undefined ? {} : { show }) };
                return router.buildLocation({ to: pagePath, params, search: asked }).href;
              }}
            />
          )}
        </>
      )}
    </Page>
  );
}

/** A choice of files as it is in the address. */
const showOf = (shown: ShownFiles) => (shown === 'changes' ? undefined : shown);

/** The chosen versions of the package that are older than the listed ones, in no order. */
function useUnlisted(
  packageId: Id<'package'>,
  versions: readonly ListedVersion[],
  { from, to }: CompareSearch,
): readonly ListedVersion[] {
  const listed = new Set(versions.map(({ versionId }) => versionId as string));
  const ids = [...new Set([from, to])].filter((id) => id !== undefined && !listed.has(id)) as VersionId[];
  const read = useQueries({ queries: ids.map((id) => versionQuery(id)) });
  return read.flatMap(({ data }) => (data?.packageId === packageId ? [data] : []));
}

/**
 * The chosen versions; what is not chosen is the neighbour of the other one, in a list of the newest first. One that is not in the list is older than all of them, and is
 * compared with the newest.
 */
function chosen(ids: readonly string[], { from, to }: CompareSearch): readonly (string | undefined)[] {
  if (from !== undefined && to !== undefined) return [from, to];
  const one = to ?? from;
  if (one === undefined) return [ids[1], ids[0]];
  const place = ids.indexOf(one);
  if (place < 0) return [one, ids[0]];
  if (to === undefined) return [one, ids[Math.max(0, place - 1)]];
  return [ids[place + 1] ?? ids.find((id) => id !== one), one];
}
