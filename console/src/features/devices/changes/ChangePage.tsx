import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { Undo2, X } from 'lucide-react';
import { useMemo } from 'react';
import { terms } from '../../../copy/terms.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { failureOf, moreLiveRows } from '../../../parts/more-live-rows.ts';
import { NextPage } from '../../../parts/NextPage.tsx';
import { orToast } from '../../../parts/or-toast.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { useActorNames } from '../../../parts/use-actor-names.ts';
import { useLivePages } from '../../../parts/use-live-pages.ts';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { OptionalChips } from '../../../ui/form/OptionalChips.tsx';
import { EmptyState } from '../../../ui/layout/EmptyState.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Meter } from '../../../ui/picture/Meter.tsx';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { resultColumns } from './result-columns.tsx';
import { changeQuery, type ChangeResult, changeResultsQuery, type RunningChange } from './changes.ts';
import { cancelChange, undoChange } from './change-mutations.ts';
import { resultStatuses, type ChangeSearch } from './change-search.ts';
import { changesCopy } from './copy.ts';
import { titleOf, useFollowChange } from './use-follow-change.tsx';

/** A change of many devices: how far it is, and its result for each device. */
export function ChangePage({ projectId, jobId }: { projectId: Id<'project'>; jobId: Id<'fleetJob'> }) {
  const { data: change } = useLoadedQuery(changeQuery(jobId));
  const names = useActorNames(projectId);
  const { total, done, failed, createdBy, createdAt, completedAt } = change;
  const who = 'userId' in createdBy ? names.get(createdBy.userId) : undefined;
  const title = titleOf(change);
  return (
    <Page>
      <SectionHeader
        title={title}
        name={changesCopy.section}
        meta={
          <span>
            {who !== undefined && `${changesCopy.page.meta(who)} `}
            <RelativeTime at={createdAt} />
          </span>
        }
        actions={<Actions {...{ projectId, change }} />}
      />
      {completedAt === undefined && (
        <div className="mb-5 max-w-md">
          <p className="tabular mb-1.5 text-small text-ink2">{changesCopy.progress(done + failed, total)}</p>
          <Meter isProgress label={title} value={done + failed} max={total} />
        </div>
      )}
      <Results {...{ projectId, change }} />
    </Page>
  );
}

function Actions({ projectId, change }: { projectId: Id<'project'>; change: RunningChange }) {
  const run = useRun();
  const navigate = useNavigate();
  const follow = useFollowChange(projectId);
  const { jobId, completedAt, undoable } = change;
  async function undo(): Promise<void> {
    const undone = await run(undoChange, { jobId });
    follow(undone.jobId);
    await navigate({
      to: '/projects/$projectId/devices/changes/$jobId',
      params: { projectId, jobId: undone.jobId },
    });
  }
  if (completedAt === undefined)
    return (
      <Button
        isWrite
        icon={<X size={15} aria-hidden />}
        onClick={() => void orToast(changesCopy.notCancelled, run(cancelChange, { jobId }))}
      >
        {changesCopy.cancel}
      </Button>
    );
  if (!undoable) return null;
  return (
    <Button
      isWrite
      icon={<Undo2 size={15} aria-hidden />}
      onClick={() => void orToast(changesCopy.notUndone, undo())}
    >
      {changesCopy.undo}
    </Button>
  );
}

const keyOf = ({ deviceId }: ChangeResult): string => deviceId;

function Results({ projectId, change }: { projectId: Id<'project'>; change: RunningChange }) {
  const [{ status }, search] = useUrlSearch<ChangeSearch>();
  const { jobId, total, done, failed, change: what } = change;
  const navigate = useNavigate();
  const pages = useLivePages({
    queryOf: (after) => changeResultsQuery(jobId, status, after),
    rowsOf: ({ results }) => results,
    keyOf,
    isEnabled: true,
  });
  const { rows, readAllRows, onRowsInSight } = pages;
  const columns = useMemo(() => resultColumns(what, failed > 0), [what, failed]);
  const counts = { Failed: failed, Done: done, Pending: total - done - failed };
  return (
    <>
      <DataTable
        label={terms.sections.devices}
        {...{ columns, rows, readAllRows, onRowsInSight }}
        failure={failureOf(pages)}
        isServerSide
        rowKey={keyOf}
        filters={
          <OptionalChips
            label={changesCopy.page.columns.status}
            value={status}
            onValueChange={(status) => search({ status })}
            all={changesCopy.page.all}
            allCount={total}
            chips={resultStatuses
              .filter((one) => counts[one] > 0 || one === status)
              .map((value) => ({ value, label: changesCopy.page.statuses[value], count: counts[value] }))}
          />
        }
        isFiltered={status !== undefined}
        onClearFilters={() => search({ status: undefined })}
        csvName={changesCopy.page.csvName}
        onOpen={({ deviceId }) =>
          void navigate({ to: '/projects/$projectId/devices/$deviceId', params: { projectId, deviceId } })
        }
        empty={<EmptyState title={changesCopy.page.emptyTitle} text={changesCopy.page.emptyText} />}
      />
      {rows !== undefined && rows.length > 0 && pages.loadMore !== undefined && (
        <NextPage more={moreLiveRows(pages, rows.length)} />
      )}
    </>
  );
}
