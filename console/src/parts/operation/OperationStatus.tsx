import type { Output } from '@corral/contract';
import { OperationGlyph } from '../../ui/picture/OperationGlyph.tsx';
import type { OperationMark } from '../../ui/picture/operation-shapes.ts';
import { operationCopy } from './copy.ts';

type FleetStatus = Output<'fleet_QueryOperations'>['operations'][number]['status'];
type DeviceStatus = Output<'devices_QueryOperations'>['operations'][number]['status'];

/** How an operation, an operation on one device, or one of its steps stands. */
export type AnyStatus = FleetStatus | DeviceStatus | 'Skipped';

const marks: Record<AnyStatus, OperationMark> = {
  Draft: 'queued',
  Pending: 'waiting',
  Running: 'running',
  Paused: 'waiting',
  Succeeded: 'succeeded',
  Completed: 'succeeded',
  Failed: 'failed',
  TimedOut: 'failed',
  Cancelled: 'cancelled',
  Skipped: 'queued',
};
const tones: Partial<Record<AnyStatus, string>> = {
  Running: 'text-denim',
  Paused: 'text-warn',
  Succeeded: 'text-ok',
  Completed: 'text-ok',
  Failed: 'text-danger',
  TimedOut: 'text-danger',
};

/** How an operation stands: a shape and a word, whose colour only repeats them. */
export function OperationStatus({ status }: { status: AnyStatus }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 align-middle text-label font-head whitespace-nowrap ${tones[status] ?? 'text-ink2'}`}
    >
      <OperationGlyph mark={marks[status]} />
      {operationCopy.states[status]}
    </span>
  );
}
