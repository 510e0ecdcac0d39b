import { bucketsOf } from '../../ui/picture/chart-times.ts';
import { StackedBars } from '../../ui/picture/StackedBars.tsx';
import type { Range } from './chart-range.ts';
import { historyCopy } from './copy.ts';
import { type History, stretchText, timesOf } from './history-times.ts';

/** The severities from the baseline up: the worst ones first. */
const severities = ['Critical', 'Error', 'Warning', 'Info', 'Debug', 'Trace'] as const;
type Severity = (typeof severities)[number];
const fills: Record<Severity, string> = {
  Critical: 'fill-danger',
  Error: 'fill-danger-fill',
  Warning: 'fill-warn-fill',
  Info: 'fill-info-fill stroke-edge',
  Debug: 'fill-mute-wash stroke-line-strong',
  Trace: 'fill-sunken stroke-line-strong',
};
/** The class of the key of each severity beside a chart. */
export const severityKeys: Record<Severity, string> = {
  Critical: 'bg-danger',
  Error: 'bg-danger-fill',
  Warning: 'bg-warn-fill',
  Info: 'bg-info-fill border border-edge',
  Debug: 'bg-mute-wash border border-line-strong',
  Trace: 'bg-sunken border border-line-strong',
};

/** The events of a project over a time as bars by severity; `onOpen` gets the time of a bar. */
export function EventBars({
  history,
  range,
  onOpen,
}: {
  history: History;
  range: Range;
  onOpen: (fromMs: number, toMs: number) => void;
}) {
  const totals = eventTotals(history);
  const shown = totals.map(({ severity }) => severity);
  const bars = barsOf(history, shown, range === '24h');
  const all = totals.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return <p className="text-body text-ink2">{historyCopy.noEvents}</p>;
  return (
    <StackedBars
      label={historyCopy.eventsChart(historyCopy.lastRange[range], all)}
      times={timesOf(history)}
      bars={bars}
      layers={shown.map((name) => ({ name, className: fills[name] }))}
      onOpen={(index) => {
        const bar = bars[index];
        if (bar !== undefined) onOpen(bar.fromMs, bar.toMs);
      }}
      describe={(bar) => <BarText bar={bars[bar]} names={shown} />}
    />
  );
}

/** How many events of each severity a history has, those of none left out, the worst first. */
export function eventTotals({ events }: History): { severity: Severity; count: number }[] {
  return severities
    .map((severity) => ({ severity, count: sum(events[severity]) }))
    .filter(({ count }) => count > 0);
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

interface NamedBar {
  readonly name: string;
  readonly parts: readonly number[] | null;
  readonly fromMs: number;
  readonly toMs: number;
}

function BarText({ bar, names }: { bar: NamedBar | undefined; names: readonly string[] }) {
  const parts = bar?.parts?.flatMap((count, index) =>
    count === 0 ? [] : `${count.toLocaleString('en')} ${names[index] ?? ''}`,
  );
  return (
    <>
      <b className="font-head">{bar?.name}</b>{' '}
      {parts === undefined
        ? historyCopy.noRecord
        : parts.length === 0
          ? historyCopy.noEvents
          : parts.join(', ')}
    </>
  );
}

/** The bars of a history with the severities that it has; a bar in which no hub was there and no event is known has no parts. */
function barsOf(history: History, shown: readonly Severity[], isDay: boolean): NamedBar[] {
  const { events, watched } = history;
  return bucketsOf(timesOf(history)).map(({ first, end, fromMs, toMs }) => {
    const parts = shown.map((severity) => sum(events[severity].slice(first, end)));
    const isKnown = parts.some((count) => count > 0) || watched.slice(first, end).some((share) => share > 0);
    return { name: stretchText(fromMs, toMs, isDay), parts: isKnown ? parts : null, fromMs, toMs };
  });
}
