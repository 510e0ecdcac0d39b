import type { Id } from '@corral/contract';
import { notFound } from '@tanstack/react-router';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { useVisit } from '../../../parts/recent-items.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { useActorNames } from '../../../parts/use-actor-names.ts';
import { OperationStatus } from '../../../parts/operation/OperationStatus.tsx';
import { terms } from '../../../copy/terms.ts';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { operationsCopy as words } from '../copy.ts';
import { fleetOperationQuery, type FoundOperation } from '../fleet-operations.ts';
import { Preview } from '../new/Preview.tsx';
import { whoOf } from '../operation-columns.tsx';
import { AskedNotice } from './AskedNotice.tsx';
import { EventsCard } from './EventsCard.tsx';
import { HistoryCard } from './HistoryCard.tsx';
import { FailuresCard } from './FailuresCard.tsx';
import { OperationActions } from './OperationActions.tsx';
import { PaceCard } from './PaceCard.tsx';
import { SelectionErrorsCard } from './SelectionErrorsCard.tsx';
import { StagesCard } from './StagesCard.tsx';
import { StateText } from './StateText.tsx';
import { StepsCard } from './StepsCard.tsx';
import { TargetsTable } from './TargetsTable.tsx';
import { useDraftPreview } from './use-draft-preview.ts';

/** An operation: how it stands, its stages as dots, why devices failed, how fast it goes, and each device. */
export function OperationPage({
  projectId,
  fleetOperationId,
}: {
  projectId: Id<'project'>;
  fleetOperationId: Id<'fleetOperation'>;
}) {
  const { data } = useLoadedQuery(fleetOperationQuery(fleetOperationId));
  if (data.result === 'NotFound') throw notFound();
  return <Found {...{ projectId }} operation={data} />;
}

function Found({ projectId, operation }: { projectId: Id<'project'>; operation: FoundOperation }) {
  const { summary } = operation;
  const { fleetOperationId, name, status, pauseReason, description } = summary;
  useVisit({ kind: 'operation', id: fleetOperationId, name, scopeId: projectId });
  return (
    <Page>
      <SectionHeader
        title={name}
        name={name}
        badges={
          <span className="flex flex-wrap items-center gap-x-2 text-body">
            <OperationStatus status={status} />
            <span className="text-ink2">
              <StateText summary={summary} />
            </span>
          </span>
        }
        meta={<Meta {...{ projectId, operation }} />}
        actions={<OperationActions {...{ projectId, operation }} />}
      />
      {description !== undefined && <p className="mb-4 text-body wrap-anywhere text-ink2">{description}</p>}
      {status === 'Paused' && pauseReason !== undefined && (
        <div className="mb-5">
          <Notice tone="warn" title={words.state.pausedTitle}>
            {pauseReason}
            {operation.isHeldByGuard === true && ` ${words.state.heldByGuard}`}
          </Notice>
        </div>
      )}
      {summary.waitsFor !== undefined && <AskedNotice {...{ projectId, operation }} />}
      {status === 'Draft' ? (
        <DraftParts {...{ projectId, operation }} />
      ) : (
        <BegunParts {...{ projectId, operation }} />
      )}
      {/* The room of the button at the edge of a phone. */}
      <div aria-hidden className="h-16 sm:hidden" />
    </Page>
  );
}

/** What a draft is made of, beside what it would do now. */
function DraftParts({ projectId, operation }: { projectId: Id<'project'>; operation: FoundOperation }) {
  const { canPreview, preview, error } = useDraftPreview(operation);
  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_25rem]">
      <div className="flex min-w-0 flex-col gap-5">
        <StepsCard operation={operation} />
        <PaceCard operation={operation} />
      </div>
      {canPreview && <Preview {...{ projectId, preview, error }} problem={undefined} isCurrent />}
    </div>
  );
}

/** How an operation stands that has begun. */
function BegunParts({ projectId, operation }: { projectId: Id<'project'>; operation: FoundOperation }) {
  const { fleetOperationId, progress, selectionErrors } = operation.summary;
  const failed = progress.failed + progress.timedOut;
  return (
    <>
      <StagesCard operation={operation} />
      <div className={columns}>
        {failed > 0 ? <FailuresCard {...{ projectId, operation }} /> : <StepsCard operation={operation} />}
        <PaceCard operation={operation} />
      </div>
      <div className={columns}>
        <HistoryCard operation={operation} />
        <EventsCard {...{ projectId, fleetOperationId }} />
      </div>
      {failed > 0 && (
        <div className="mb-5">
          <StepsCard operation={operation} />
        </div>
      )}
      {selectionErrors > 0 && <SelectionErrorsCard {...{ projectId, fleetOperationId }} />}
      <TargetsTable {...{ projectId, operation }} />
    </>
  );
}

const columns = 'mb-5 grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,600fr)_minmax(0,364fr)]';

/** Who began it, and on whom it runs. */
function Meta({
  projectId,
  operation: { summary, selector },
}: {
  projectId: Id<'project'>;
  operation: FoundOperation;
}) {
  const names = useActorNames(projectId);
  const who = whoOf(summary.createdBy, names);
  const { deviceIds, query, predicates } = selector;
  const parts = [
    who === ''
      ? undefined
      : summary.startedAt === undefined
        ? words.meta.created(who)
        : words.meta.started(who),
    summary.progress.total > 0 ? words.meta.devices(summary.progress.total) : undefined,
    deviceIds === undefined ? undefined : words.meta.chosen(deviceIds.length),
    predicates.length > 0 ? words.meta.conditions(predicates.length) : undefined,
  ].filter((part) => part !== undefined);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-body">
      <IdTag value={summary.fleetOperationId} what={terms.ids.operation} length={14} />
      {parts.map((part) => (
        <span key={part}>
          <span aria-hidden>· </span>
          {part}
        </span>
      ))}
      {query !== undefined && (
        <span className="min-w-0">
          <span aria-hidden>· </span>
          <code dir="ltr" className="font-mono text-mono wrap-anywhere">
            {query}
          </code>
        </span>
      )}
    </span>
  );
}
