import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ban } from 'lucide-react';
import { useRun } from '../../data/action-mutation.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { Skeleton } from '../../ui/layout/Skeleton.tsx';
import { Drawer } from '../../ui/overlay/Drawer.tsx';
import { IdTag } from '../../ui/text/IdTag.tsx';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { confirm } from '../confirm.ts';
import { useLast } from '../use-last.ts';
import { terms } from '../../copy/terms.ts';
import { operationCopy } from './copy.ts';
import { cancelDeviceOperation, type DeviceOperation, deviceOperationQuery } from './operations.ts';
import { OperationStatus } from './OperationStatus.tsx';
import { OperationSteps } from './OperationSteps.tsx';

const words = operationCopy.drawer;

/** An operation on one device: how it stands, and each step with its output, error and log. */
export function DeviceOperationDrawer({
  projectId,
  deviceOperationId,
  deviceName,
  onStep,
  onClose,
}: {
  projectId: Id<'project'>;
  /** The one that is open. */
  deviceOperationId: Id<'deviceOperation'> | undefined;
  /** Of the device, where the page is not that of the device itself. */
  deviceName?: string | undefined;
  onStep?: { previous?: (() => void) | undefined; next?: (() => void) | undefined } | undefined;
  onClose: () => void;
}) {
  const shown = useLast(deviceOperationId);
  const { data } = useQuery({
    ...deviceOperationQuery(shown ?? ('' as Id<'deviceOperation'>)),
    enabled: shown !== undefined,
  });
  const found = data?.result === 'Found' ? data : undefined;
  return (
    <Drawer
      open={deviceOperationId !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      above={found && <OperationStatus status={found.summary.status} />}
      title={deviceName ?? found?.summary.name ?? ''}
      onStep={onStep}
      footer={found !== undefined && isOpen(found.summary) ? <Cancel operation={found.summary} /> : undefined}
    >
      {data === undefined ? (
        <Skeleton height="12rem" />
      ) : found === undefined ? (
        <p className="text-body text-ink2">{words.gone}</p>
      ) : (
        <div className="flex flex-col gap-4">
          <Facts {...{ projectId, deviceName }} operation={found.summary} />
          <OperationSteps steps={found.steps} states={found.stepStates} />
        </div>
      )}
    </Drawer>
  );
}

const isOpen = ({ status }: DeviceOperation): boolean => status === 'Pending' || status === 'Running';

function Facts({
  projectId,
  operation,
  deviceName,
}: {
  projectId: Id<'project'>;
  operation: DeviceOperation;
  deviceName: string | undefined;
}) {
  const { deviceId, deviceOperationId, fleetOperationId, attempt, startedAt, completedAt, outcome, status } =
    operation;
  return (
    <div className="-mx-4.5">
      <Properties
        items={[
          {
            name: words.device,
            value:
              deviceName !== undefined ? (
                <TextLink
                  render={
                    <Link to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId }} />
                  }
                >
                  {deviceName}
                </TextLink>
              ) : undefined,
          },
          {
            name: words.operation,
            value: <IdTag value={deviceOperationId} what={terms.ids.operation} length={18} />,
          },
          {
            name: words.partOf,
            value:
              fleetOperationId === undefined || deviceName !== undefined ? undefined : (
                <TextLink
                  render={
                    <Link
                      to="/projects/$projectId/operations/$operationId"
                      params={{ projectId, operationId: fleetOperationId }}
                    />
                  }
                >
                  {words.wholeOperation}
                </TextLink>
              ),
          },
          { name: words.attempt, value: attempt > 1 ? attempt.toLocaleString('en') : undefined },
          {
            name: words.outcome,
            value: outcome === undefined ? undefined : operationCopy.outcomes[outcome],
          },
          {
            name: words.started,
            value:
              startedAt === undefined ? (
                status === 'Pending' ? (
                  words.waits
                ) : undefined
              ) : (
                <RelativeTime at={startedAt} />
              ),
          },
          { name: words.ended, value: completedAt && <RelativeTime at={completedAt} /> },
        ]}
      />
    </div>
  );
}

function Cancel({ operation: { deviceOperationId } }: { operation: DeviceOperation }) {
  const run = useRun();
  return (
    <Button
      isWrite
      icon={<Ban size={15} aria-hidden />}
      onClick={() =>
        void confirm({
          title: words.cancelTitle,
          text: words.cancelText,
          verb: words.cancel,
          action: () => run(cancelDeviceOperation, { deviceOperationId }),
          done: words.cancelled,
        })
      }
    >
      {words.cancel}
    </Button>
  );
}
