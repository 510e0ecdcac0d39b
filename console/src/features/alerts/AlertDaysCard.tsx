import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';
import type { AlertPlace, AlertSeverity } from '../../parts/alerts/alerts.ts';
import { severityCopy } from '../../parts/alerts/severity-copy.ts';
import { omitUndefined } from '../../parts/search-values.ts';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { LinkedCard } from '../../ui/layout/LinkedCard.tsx';
import { Skeleton } from '../../ui/layout/Skeleton.tsx';
import { StackedBars } from '../../ui/picture/StackedBars.tsx';
import { formatDate } from '../../ui/time/format-time.ts';
import { dayAfter, noonOf } from './alert-days.ts';
import { alertsLink } from './alert-links.ts';
import type { AlertsSearch } from './alerts-search.ts';
import { alertPageCopy } from './copy.ts';

const words = alertPageCopy.days;
const dayMs = 86_400_000;

/** The severities from the baseline up, with the classes of their shapes and keys. */
const layers: readonly {
  severity: AlertSeverity;
  field: 'critical' | 'warning' | 'info';
  fill: string;
  key: string;
}[] = [
  { severity: 'Critical', field: 'critical', fill: 'fill-danger', key: 'bg-danger' },
  { severity: 'Warning', field: 'warning', fill: 'fill-warn-fill', key: 'bg-warn-fill' },
  {
    severity: 'Info',
    field: 'info',
    fill: 'fill-info-fill stroke-edge',
    key: 'bg-info-fill border border-edge',
  },
];

const daysQuery = (place: AlertPlace, ruleId: AlertsSearch['rule']) =>
  actionQuery('alerts_QueryAlertDays', { ...place, ...omitUndefined({ ruleId }) }, everyMinute);

/** The alerts of 30 days by the day on which they fired; each bar and each number leads to its alerts. */
export function AlertDaysCard({ place }: { place: AlertPlace }) {
  const [{ rule, device }, change] = useUrlSearch<AlertsSearch>();
  const { data } = useQuery({ ...daysQuery(place, rule), enabled: device === undefined });
  if (device !== undefined) return null;
  if (data === undefined)
    return (
      <LinkedCard title={words.title} className="mb-5">
        <Skeleton height="7rem" />
      </LinkedCard>
    );
  const { from, days } = data;
  const total = days.reduce((sum, { info, warning, critical }) => sum + info + warning + critical, 0);
  if (total === 0) return null;
  const dayAt = (index: number) => dayAfter(from, index);
  return (
    <LinkedCard
      title={words.title}
      className="mb-5"
      aside={
        <ul className="flex flex-wrap gap-x-3.5">
          {layers.map(({ severity, field, key }) => {
            const count = days.reduce((sum, day) => sum + day[field], 0);
            if (count === 0) return null;
            return (
              <li key={severity} className="flex items-center gap-1.5">
                <span aria-hidden className={`bordered-when-forced size-2 rounded-[2px] ${key}`} />
                {severityCopy[severity]}{' '}
                <Link
                  {...alertsLink(place, omitUndefined({ tab: 'history' as const, severity, rule }))}
                  resetScroll={false}
                  aria-label={`${count.toLocaleString('en')} ${severityCopy[severity]}`}
                  className="number-link"
                >
                  {count.toLocaleString('en')}
                </Link>
              </li>
            );
          })}
        </ul>
      }
    >
      <StackedBars
        label={words.chart(total)}
        times={{ fromMs: noonOf(dayAt(0)), stepMs: dayMs, steps: days.length }}
        bars={days.map((day, index) => ({
          name: words.day(formatDate(noonOf(dayAt(index)))),
          parts: layers.map(({ field }) => day[field]),
        }))}
        layers={layers.map(({ severity, fill }) => ({
          name: severityCopy[severity],
          className: fill,
        }))}
        onOpen={(index) => change({ day: dayAt(index), severity: undefined })}
        describe={(index) => <DayText day={dayAt(index)} counts={days[index]} />}
      />
    </LinkedCard>
  );
}

function DayText({
  day,
  counts,
}: {
  day: string;
  counts: Readonly<Record<'info' | 'warning' | 'critical', number>> | undefined;
}) {
  const parts = layers.flatMap(({ severity, field }) => {
    const count = counts?.[field] ?? 0;
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${severityCopy[severity]}`];
  });
  return (
    <>
      <b className="font-head">{words.day(formatDate(noonOf(day)))}</b>{' '}
      {parts.length === 0 ? words.none : parts.join(', ')}
    </>
  );
}
