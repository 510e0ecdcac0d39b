import { Link } from '@tanstack/react-router';
import { OperationGlyph } from '../../../ui/picture/OperationGlyph.tsx';
import type { OperationMark } from '../../../ui/picture/operation-shapes.ts';
import { operationsCopy } from '../copy.ts';
import type { FoundOperation } from '../fleet-operations.ts';
import type { OperationSearch } from '../operations-search.ts';
import { BudgetMeter } from './BudgetMeter.tsx';
import { marksOf } from './stage-dots.ts';
import { StagesPicture } from './StagesPicture.tsx';

const words = operationsCopy.slots;

interface Slot {
  readonly status: NonNullable<OperationSearch['status']>;
  readonly mark: OperationMark;
  readonly count: number;
  readonly text: string;
}

/** The stages as dots, the numbers of devices that stand in each way, which lead to them in the table, and the failure budget. */
export function StagesCard({ operation }: { operation: FoundOperation }) {
  return (
    <section
      aria-label={operationsCopy.stages.title}
      className="mb-5 min-w-0 overflow-clip rounded-card border border-line bg-surface"
    >
      {operation.stageStates.length > 0 && <StagesPicture operation={operation} />}
      <div className="flex flex-wrap border-t border-line">
        <ul aria-label={words.label} className="-mt-px -ms-px flex flex-[999_1_28rem] flex-wrap">
          {slotsOf(operation).map((slot) => (
            <li key={slot.status} className="min-w-28 flex-1 border-s border-t border-line">
              <SlotLink {...{ slot }} />
            </li>
          ))}
        </ul>
        <div className="min-w-60 flex-1 border-s border-line px-4.5 py-3.5 max-lg:border-t">
          <BudgetMeter operation={operation} />
        </div>
      </div>
    </section>
  );
}

function SlotLink({ slot: { status, mark, count, text } }: { slot: Slot }) {
  return (
    <Link
      to="."
      search={{ status }}
      hash="devices"
      replace
      resetScroll={false}
      className="flex h-full flex-col px-4.5 py-3.5 text-ink -outline-offset-2 transition-colors hover:bg-denim-wash/60"
    >
      <span className="flex items-center gap-2 text-label font-normal text-ink2">
        <OperationGlyph mark={mark} />
        {words[status]}
      </span>
      <span
        className={`tabular mt-1.5 text-title font-head ${mark === 'failed' && count > 0 ? 'text-danger' : ''}`}
      >
        {count === 0 ? <span className="zero" /> : count.toLocaleString('en')}
      </span>
      <span className="mt-0.5 text-small text-ink3 empty:hidden">{text}</span>
    </Link>
  );
}

function slotsOf({ summary, stageStates }: FoundOperation): Slot[] {
  const { progress, interrupted, unknown, notDelivered, maxInFlight, status } = summary;
  const later = stageStates.reduce((sum, state) => sum + marksOf(state).queued, 0);
  const isOpen = status === 'Running' || status === 'Paused';
  const joined = (...parts: (string | false)[]) => parts.filter((part) => part !== false).join(' · ');
  return [
    { status: 'Succeeded', mark: 'succeeded', count: progress.succeeded, text: '' },
    {
      status: 'Running',
      mark: 'running',
      count: progress.running,
      text: isOpen ? words.of(maxInFlight) : '',
    },
    {
      status: 'Pending',
      mark: 'waiting',
      count: progress.pending,
      text: later > 0 && isOpen ? words.later(later) : '',
    },
    {
      status: 'Failed',
      mark: 'failed',
      count: progress.failed,
      text: joined(interrupted > 0 && words.interrupted(interrupted), unknown > 0 && words.unknown(unknown)),
    },
    ...(progress.timedOut === 0
      ? []
      : [
          {
            status: 'TimedOut' as const,
            mark: 'failed' as const,
            count: progress.timedOut,
            text: notDelivered > 0 ? words.notDelivered(notDelivered) : '',
          },
        ]),
    ...(progress.cancelled === 0
      ? []
      : [
          {
            status: 'Cancelled' as const,
            mark: 'cancelled' as const,
            count: progress.cancelled,
            text: '',
          },
        ]),
  ];
}
