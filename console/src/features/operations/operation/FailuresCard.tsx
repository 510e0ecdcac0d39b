import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { deviceLabel } from '../../../parts/listed-device.ts';
import { orToast } from '../../../parts/or-toast.ts';
import { stepText } from '../../../parts/operation/step-text.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Skeleton } from '../../../ui/layout/Skeleton.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { operationsCopy } from '../copy.ts';
import { failureGroupsQuery, type FoundOperation, retryOperation } from '../fleet-operations.ts';

const words = operationsCopy.failures;

type Group = Output<'fleet_QueryFailureGroups'>['groups'][number];

const shownDevices = 3;

/** The devices that failed by what they said, the most frequent first; each group can be retried by itself. */
export function FailuresCard({
  projectId,
  operation,
}: {
  projectId: Id<'project'>;
  operation: FoundOperation;
}) {
  const { fleetOperationId } = operation.summary;
  const { data, error, refetch } = useQuery(failureGroupsQuery(fleetOperationId));
  const groups = data?.groups ?? [];
  const devices = groups.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card isFlush title={words.title} meta={data && words.meta(devices, groups.length)}>
      <ErrorBoundary isFlush error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        {data === undefined ? (
          <div className="p-4.5">
            <Skeleton height="6rem" />
          </div>
        ) : (
          <ul className="divide-y divide-line">
            {groups.map((group, index) => (
              <FailureGroup key={index} {...{ projectId, operation, group }} />
            ))}
          </ul>
        )}
      </ErrorBoundary>
    </Card>
  );
}

function FailureGroup({
  projectId,
  operation: { summary, steps },
  group,
}: {
  projectId: Id<'project'>;
  operation: FoundOperation;
  group: Group;
}) {
  const run = useRun();
  const { text, example, count, status, stepIndex, sample } = group;
  const step = steps[stepIndex];
  const rest = count - Math.min(shownDevices, sample.length);
  const said = example === '' ? words.noText : example;
  const retry = () =>
    orToast(
      operationsCopy.actions.notRetried,
      run(retryOperation, {
        fleetOperationId: summary.fleetOperationId,
        which: [status === 'TimedOut' ? 'TimedOut' : 'Failed'],
        group: { text, status, stepIndex },
      }).then(({ devices }) =>
        showToast(operationsCopy.actions.retried(devices, summary.status === 'Paused'), { tone: 'ok' }),
      ),
    );
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-2 px-4.5 py-3">
      <span className="tabular min-w-8 text-title font-head text-danger">{count.toLocaleString('en')}</span>
      <span className="min-w-0 flex-1 basis-56">
        <span className="block text-body font-head wrap-anywhere">{said}</span>
        <span className="mt-0.5 block text-small text-ink2">
          {step !== undefined && <>{stepText(step)} · </>}
          {sample.slice(0, shownDevices).map((device, index) => (
            <Fragment key={device.deviceId}>
              {index > 0 && ', '}
              <Link
                to="/projects/$projectId/devices/$deviceId"
                params={{ projectId, deviceId: device.deviceId }}
                search={{ tab: 'operations' }}
                className="number-link font-normal!"
              >
                {deviceLabel(device)}
              </Link>
            </Fragment>
          ))}
          {rest > 0 && `, ${words.more(rest)}`}
        </span>
      </span>
      {summary.status !== 'Cancelled' && (
        <Button size="small" isWrite label={words.retryOf(count, said)} onClick={retry}>
          {words.retry(count)}
        </Button>
      )}
    </li>
  );
}
