import type { Id } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Tags as TagsIcon } from 'lucide-react';
import { useState } from 'react';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { partsCopy } from '../../../parts/copy.ts';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { rowsPerPage } from '../../../parts/list-limits.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { useLast } from '../../../parts/use-last.ts';
import { useRepositoryNames } from '../../../parts/use-repository-names.ts';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { EmptyState } from '../../../ui/layout/EmptyState.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { packagesCopy } from '../copy.ts';
import { PackageCrumb } from '../PackageCrumb.tsx';
import { packageQuery, packageVersionsQuery, tagHistoryQuery } from '../queries.ts';
import { versionOptions } from '../version-options.ts';
import { SetTagButton } from './SetTagButton.tsx';
import { TagChoice } from './TagChoice.tsx';
import { MoveActions } from './MoveActions.tsx';
import { TagMove } from './TagMove.tsx';

const words = packagesCopy.history;

/** The search parameters of a tag history: the tag. */
export type HistorySearch = { tag?: string };

interface Params {
  readonly repositoryId: Id<'repository'>;
  readonly packageId: Id<'package'>;
}

/** What the tags of a package pointed at, as a timeline. */
export function TagHistoryPage(params: Params) {
  const { packageId } = params;
  const { name } = useLoadedQuery(packageQuery(packageId)).data;
  const versions = useQuery(packageVersionsQuery(packageId, rowsPerPage)).data?.versions ?? [];
  const [{ tag }, change] = useUrlSearch<HistorySearch>();
  return (
    <Page>
      <SectionHeader
        title={words.title}
        name={words.title}
        parents={<PackageCrumb params={params} name={name} />}
        meta={words.text}
        actions={
          <>
            <TagChoice {...{ packageId, tag }} onChange={(next) => change({ tag: next })} />
            <SetTagButton key={tag} params={params} versions={versionOptions(versions)} tag={tag} />
          </>
        }
      />
      <Moves key={tag ?? ''} {...{ params, name, tag }} />
    </Page>
  );
}

function Moves({ params, name, tag }: { params: Params; name: string; tag: string | undefined }) {
  const [limit, setLimit] = useState(rowsPerPage);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...tagHistoryQuery(params.packageId, tag, limit),
    placeholderData: keepPreviousData,
  });
  const names = useRepositoryNames(params.repositoryId);
  // Those that are known stay while more are loaded, and when that fails.
  const { moves } = useLast(data) ?? {};
  const moved = moves?.find(({ from, to }) => from !== undefined && to !== undefined);
  if (moves?.length === 0)
    return (
      <Card>
        <EmptyState
          icon={<TagsIcon size={20} aria-hidden />}
          title={words.emptyTitle}
          text={words.emptyText}
        />
      </Card>
    );
  return (
    <>
      <Card>
        <ol aria-label={words.title} className="flex flex-col">
          {moves?.map((move) => (
            <TagMove
              key={`${move.eventId} ${move.tag}`}
              {...{ params, names, move }}
              actions={
                <MoveActions {...{ params, move }} newest={moves.find(({ tag }) => tag === move.tag)} />
              }
            />
          ))}
        </ol>
        <ErrorBoundary error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
          {moves !== undefined && (isPlaceholderData || moves.length >= limit) && (
            <Button loading={isPlaceholderData} onClick={() => setLimit(limit + rowsPerPage)}>
              {partsCopy.rows.more}
            </Button>
          )}
        </ErrorBoundary>
      </Card>
      {moved !== undefined && (
        <p className="mt-3 wrap-anywhere text-body text-ink3">{words.resolve(`${name}@${moved.tag}~1`)}</p>
      )}
    </>
  );
}
