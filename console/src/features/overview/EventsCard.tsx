import type { Id } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { bucketsOf } from '../../ui/picture/chart-times.ts';
import { StackedBars } from '../../ui/picture/StackedBars.tsx';
import { overviewCopy } from './copy.ts';
import { type History, stretchText, timesOf } from './chart-times.ts';
import { OverviewCard } from './OverviewCard.tsx';
import type { Range } from './overview-search.ts';
import { eventsIn, useLists } from './use-lists.ts';

/** The severities from the baseline up: the worst ones first. */
const severities = ['Critical', 'Error', 'Warning', 'Info', 'Debug', 'Trace'] as const;
const fills: Record<(typeof severities)[number], string> = {
  Critical: 'fill-danger',
  Error: 'fill-danger-fill',
  Warning: 'fill-warn-fill',
  Info: 'fill-info-fill stroke-edge',
  Debug: 'fill-mute-wash stroke-line-strong',
  Trace: 'fill-sunken stroke-line-strong',
};
const keys: Record<(typeof severities)[number], string> = {
  Critical: 'bg-danger',
  Error: 'bg-danger-fill',
  Warning: 'bg-warn-fill',
  Info: 'bg-info-fill border border-edge',
  Debug: 'bg-mute-wash border border-line-strong',
  Trace: 'bg-sunken border border-line-strong',
};

/** The events of a project over a time, by severity; each bar and each number leads to its events. */
export function EventsCard({
  projectId,
  history,
  range,
}: {
  projectId: Id<'project'>;
  history: History;
  range: Range;
}) {
  const { eventsHrefOf, open } = useLists(projectId);
  const isDay = range === '24h';
  const { bars, totals, shown } = useMemo(() => barsOf(history, isDay), [history, isDay]);
  const times = timesOf(history);
  const all = totals.reduce((sum, { count }) => sum + count, 0);
  return (
    <OverviewCard
      title={overviewCopy.events[range]}
      link={<Link to="/projects/$projectId/events" params={{ projectId }} search={{}} />}
      aside={
        <ul className="flex flex-wrap gap-x-3.5">
          {totals.map(({ severity, count }) => (
            <li key={severity} className="flex items-center gap-1.5">
              <span aria-hidden className={`bordered-when-forced size-2 rounded-[2px] ${keys[severity]}`} />
              {severity}{' '}
              <Link
                to="/projects/$projectId/events"
                params={{ projectId }}
                search={{ q: eventsIn(times.fromMs), severity }}
                aria-label={`${severity}: ${count.toLocaleString('en')}`}
                className="number-link"
              >
                {count.toLocaleString('en')}
              </Link>
            </li>
          ))}
        </ul>
      }
    >
      {all === 0 ? (
        <p className="text-body text-ink2">{overviewCopy.noEvents}</p>
      ) : (
        <StackedBars
          label={overviewCopy.eventsChart(overviewCopy.lastRange[range], all)}
          times={times}
          bars={bars}
          layers={shown.map((name) => ({ name, className: fills[name] }))}
          onOpen={(bar) => {
            const { fromMs, toMs } = bars[bar] ?? { fromMs: 0, toMs: 0 };
            open(eventsHrefOf(fromMs, toMs));
          }}
          describe={(bar) => <BarText bar={bars[bar]} names={shown} />}
        />
      )}
    </OverviewCard>
  );
}

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
        ? overviewCopy.noRecord
        : parts.length === 0
          ? overviewCopy.noEvents
          : parts.join(', ')}
    </>
  );
}

/** The bars of a history with the severities that it has; a bar in which no hub was there and no event is known has no parts. */
function barsOf(history: History, isDay: boolean) {
  const { events, watched } = history;
  const total = (severity: (typeof severities)[number], first = 0, end = watched.length) =>
    events[severity].slice(first, end).reduce((sum, count) => sum + count, 0);
  const totals = severities
    .map((severity) => ({ severity, count: total(severity) }))
    .filter(({ count }) => count > 0);
  const shown = totals.map(({ severity }) => severity);
  const bars = bucketsOf(timesOf(history)).map(({ first, end, fromMs, toMs }): NamedBar => {
    const parts = shown.map((severity) => total(severity, first, end));
    const isKnown = parts.some((count) => count > 0) || watched.slice(first, end).some((share) => share > 0);
    return { name: stretchText(fromMs, toMs, isDay), parts: isKnown ? parts : null, fromMs, toMs };
  });
  return { bars, totals, shown };
}
