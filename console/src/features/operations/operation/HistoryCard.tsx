import type { Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import type { ChartTimes } from '../../../ui/picture/chart-times.ts';
import { type ChartMark, StackedBars } from '../../../ui/picture/StackedBars.tsx';
import { formatDuration } from '../../../ui/time/format-duration.ts';
import { formatDay, formatSecondOfDay, formatTimeOfDay, toMs } from '../../../ui/time/format-time.ts';
import { operationsCopy } from '../copy.ts';
import { type FoundOperation, operationHistoryQuery } from '../fleet-operations.ts';

const words = operationsCopy.history;
const height = 132;
const fewestSteps = 20;
const dayMs = 86_400_000;

type History = Output<'fleet_QueryOperationHistory'>;

/** The ways in which devices end, from the baseline up: the worst first. */
const layers = [
  { outcome: 'failed', fill: 'fill-danger-fill', swatch: 'bg-danger-fill' },
  { outcome: 'timedOut', fill: 'fill-warn-fill', swatch: 'bg-warn-fill' },
  { outcome: 'succeeded', fill: 'fill-ok-fill', swatch: 'bg-ok-fill' },
] as const;

/** On how many devices an operation ended in each stretch of its time, and when its stages opened. */
export function HistoryCard({ operation }: { operation: FoundOperation }) {
  const { summary } = operation;
  const { data, error, refetch } = useQuery(operationHistoryQuery(summary.fleetOperationId));
  const shown = layers.filter(({ outcome }) => data?.[outcome].some((count) => count > 0));
  return (
    <Card
      title={words.title}
      meta={data && shown.length > 0 && words.per(formatDuration(data.stepSeconds))}
      actions={
        <ul className="flex flex-wrap gap-x-4 text-small text-ink2">
          {shown.map(({ outcome, swatch }) => (
            <li key={outcome} className="flex items-center gap-1.5">
              <span aria-hidden className={`filled-when-forced size-2.5 rounded-[2px] ${swatch}`} />
              {words[outcome]}
            </li>
          ))}
        </ul>
      }
      className="flex flex-col *:last:flex-1"
    >
      <ErrorBoundary error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        {data === undefined ? (
          <div style={{ height }} />
        ) : shown.length === 0 ? (
          <p className="text-body text-ink3">{words.none}</p>
        ) : (
          <Bars {...{ operation, shown }} history={data} />
        )}
      </ErrorBoundary>
    </Card>
  );
}

function Bars({
  operation: { summary, stages, stageStates },
  history,
  shown,
}: {
  operation: FoundOperation;
  history: History;
  shown: readonly (typeof layers)[number][];
}) {
  const { from, stepSeconds, succeeded } = history;
  const fromMs = toMs(from);
  const stepMs = stepSeconds * 1000;
  // Few bars would be blocks.
  const steps = Math.max(fewestSteps, succeeded.length);
  const untilMs = fromMs + steps * stepMs;
  const isOpen = summary.completedAt === undefined;
  const isShort = steps * stepMs < 120_000;
  const pointText = (atMs: number) =>
    untilMs - fromMs > dayMs ? `${formatDay(atMs)} ${formatTimeOfDay(atMs)}` : formatTimeOfDay(atMs);
  const nameOf = (step: number) => {
    const [start, end] = [fromMs + step * stepMs, fromMs + (step + 1) * stepMs];
    if (isShort) return words.secondsIn(step * stepSeconds, (step + 1) * stepSeconds);
    if (stepSeconds < 60) return `${formatSecondOfDay(start)}–${formatSecondOfDay(end)}`;
    return `${pointText(start)}–${stepMs < dayMs ? formatTimeOfDay(end) : pointText(end)}`;
  };
  const bars = Array.from({ length: steps }, (_, step) => ({
    name: nameOf(step),
    parts: shown.map(({ outcome }) => history[outcome][step] ?? 0),
  }));
  const times: ChartTimes = {
    fromMs,
    stepMs,
    steps,
    ends: [
      pointText(fromMs),
      isOpen && steps === succeeded.length
        ? words.now
        : isShort
          ? words.later(steps * stepSeconds)
          : pointText(untilMs),
    ],
  };
  const marks: ChartMark[] = stageStates.flatMap(({ openedAt }, index) =>
    openedAt === undefined || stages.length === 1
      ? []
      : [{ atMs: toMs(openedAt), name: stages[index]?.name ?? String(index + 1) }],
  );
  const described = (step: number) =>
    shown
      .flatMap(({ outcome }) => {
        const count = history[outcome][step] ?? 0;
        return count === 0 ? [] : `${count.toLocaleString('en')} ${words[outcome].toLowerCase()}`;
      })
      .join(', ');
  return (
    <StackedBars
      label={words.picture(formatDuration(stepSeconds))}
      layers={shown.map(({ outcome, fill }) => ({ name: words[outcome], className: fill }))}
      describe={(step) => (
        <>
          <b className="font-head">{nameOf(step)}</b> {described(step) || words.nothing}
        </>
      )}
      {...{ times, bars, marks, height }}
    />
  );
}
