import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { projectMembersQuery } from '../../data/queries-projects.ts';
import { OperationGlyph } from '../../ui/picture/OperationGlyph.tsx';
import { formatTimeOfDay, toMs } from '../../ui/time/format-time.ts';
import { operationCopy } from './copy.ts';

/** An operation that runs, is paused, or is a draft whose start is asked for. */
export type OpenOperation = Output<'fleet_QueryOperations'>['operations'][number];

const words = operationCopy.needs;

/** Operations that run, are paused or are asked for, those that failures paused first; each row leads to its operation. */
export function OperationNeeds({
  projectId,
  operations,
}: {
  projectId: Id<'project'>;
  operations: readonly OpenOperation[];
}) {
  return (
    <ul className="divide-y divide-line not-last:border-b not-last:border-line">
      {inOrder(operations).map((operation) => {
        const { fleetOperationId, name, status, pauseReason, progress, opensAt, waitsFor } = operation;
        const isAsked = waitsFor !== undefined;
        const isPaused = status === 'Paused';
        return (
          <li key={fleetOperationId}>
            <Link
              to="/projects/$projectId/operations/$operationId"
              params={{ projectId, operationId: fleetOperationId }}
              className="flex gap-3 px-4.5 py-3 text-ink transition-colors hover:bg-denim-wash/60 pointer-coarse:min-h-11"
            >
              <span className="mt-1 flex size-4 shrink-0 justify-center">
                <OperationGlyph
                  mark={
                    pauseReason !== undefined && isPaused
                      ? 'failed'
                      : isPaused || isAsked || opensAt !== undefined
                        ? 'waiting'
                        : 'running'
                  }
                />
              </span>
              <span className="min-w-0 flex-1">
                <span className="text-body">
                  <b className="font-head wrap-anywhere">{name}</b>{' '}
                  {isAsked ? (
                    <Asked {...{ projectId, operation }} />
                  ) : isPaused ? (
                    words.paused
                  ) : opensAt === undefined ? (
                    words.runs
                  ) : (
                    words.waits(formatTimeOfDay(toMs(opensAt)))
                  )}
                </span>
                <span className="block truncate text-small text-ink2">
                  {isAsked
                    ? words.why[waitsFor]
                    : isPaused && pauseReason !== undefined
                      ? pauseReason
                      : words.progress(
                          progress.succeeded,
                          progress.total,
                          progress.failed + progress.timedOut,
                        )}
                </span>
              </span>
              <ChevronRight
                size={16}
                aria-hidden
                className="shrink-0 self-center text-ink3 rtl:-scale-x-100"
              />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** Who asks for the start of a draft. */
function Asked({
  projectId,
  operation: { createdBy },
}: {
  projectId: Id<'project'>;
  operation: OpenOperation;
}) {
  const { data } = useQuery(projectMembersQuery(projectId));
  const userId = createdBy !== undefined && 'userId' in createdBy ? createdBy.userId : undefined;
  const creator = data?.users.find((user) => user.userId === userId);
  return words.asked(creator?.displayName ?? creator?.email);
}

function inOrder(operations: readonly OpenOperation[]): readonly OpenOperation[] {
  const rank = ({ status, pauseReason }: OpenOperation) =>
    status === 'Running' ? 2 : status === 'Draft' ? 1 : pauseReason === undefined ? 1 : 0;
  return operations.toSorted((one, other) => rank(one) - rank(other));
}
