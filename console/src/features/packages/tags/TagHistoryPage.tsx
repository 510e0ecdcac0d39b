import type { Id } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Tags as TagsIcon } from 'lucide-react';
import { useState } from 'react';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { partsCopy } from '../../../parts/copy.ts';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { rowsPerPage } from '../../../parts/list-limits.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { useRepositoryNames } from '../../../parts/use-repository-names.ts';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { EmptyState } from '../../../ui/layout/EmptyState.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { packagesCopy } from '../copy.ts';
import { PackageCrumb } from '../PackageCrumb.tsx';
import { packageQuery, tagHistoryQuery } from '../queries.ts';
import { TagChoice } from './TagChoice.tsx';
import { TagMove } from './TagMove.tsx';

const words = packagesCopy.history;

/** The search parameters of a tag history: the tag. */
export type HistorySearch = { tag?: string };

/** What the tags of a package pointed at, as a timeline. */
export function TagHistoryPage(params: { repositoryId: Id<'repository'>; packageId: Id<'package'> }) {
  const { repositoryId, packageId } = params;
  const { name } = useLoadedQuery(packageQuery(packageId)).data;
  const [{ tag }, change] = useUrlSearch<HistorySearch>();
  const [limit, setLimit] = useState(rowsPerPage);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...tagHistoryQuery(packageId, tag, limit),
    placeholderData: keepPreviousData,
  });
  const names = useRepositoryNames(repositoryId);
  const moves = data?.moves ?? [];
  const moved = moves.find(({ from, to }) => from !== undefined && to !== undefined);
  return (
    <Page>
      <SectionHeader
        title={words.title}
        name={words.title}
        parents={<PackageCrumb params={params} name={name} />}
        meta={words.text}
        actions={<TagChoice {...{ packageId, tag }} onChange={(next) => change({ tag: next })} />}
      />
      <ErrorBoundary error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
      {data !== undefined && moves.length === 0 ? (
        <Card>
          <EmptyState
            icon={<TagsIcon size={20} aria-hidden />}
            title={words.emptyTitle}
            text={words.emptyText}
          />
        </Card>
      ) : (
        <Card>
          <ol aria-label={words.title} className="flex flex-col">
            {moves.map((move) => (
              <TagMove key={`${move.eventId} ${move.tag}`} {...{ params, names, move }} />
            ))}
          </ol>
          {moves.length >= limit && (
            <Button loading={isPlaceholderData} onClick={() => setLimit(limit + rowsPerPage)}>
              {partsCopy.rows.more}
            </Button>
          )}
        </Card>
      )}
      </ErrorBoundary>
      {moved !== undefined && (
        <p className="mt-3 wrap-anywhere text-body text-ink3">{words.resolve(`${name}@${moved.tag}~1`)}</p>
      )}
    </Page>
  );
}
