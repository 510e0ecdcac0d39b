import type { Id } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import type { Range } from '../../parts/history/chart-range.ts';
import { historyCopy } from '../../parts/history/copy.ts';
import { EventBars, eventTotals, severityKeys } from '../../parts/history/EventBars.tsx';
import { eventsIn } from '../../parts/history/events-in.ts';
import { type History, timesOf } from '../../parts/history/history-times.ts';
import { LinkedCard } from '../../ui/layout/LinkedCard.tsx';
import { useLists } from './use-lists.ts';

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
  const { fromMs } = timesOf(history);
  return (
    <LinkedCard
      title={historyCopy.eventsPer[range]}
      link={<Link to="/projects/$projectId/events" params={{ projectId }} search={{}} />}
      aside={
        <ul className="flex flex-wrap gap-x-3.5">
          {eventTotals(history).map(({ severity, count }) => (
            <li key={severity} className="flex items-center gap-1.5">
              <span
                aria-hidden
                className={`bordered-when-forced size-2 rounded-[2px] ${severityKeys[severity]}`}
              />
              {severity}{' '}
              <Link
                to="/projects/$projectId/events"
                params={{ projectId }}
                search={{ q: eventsIn(fromMs), severity }}
                aria-label={`${count.toLocaleString('en')} ${severity}`}
                className="number-link"
              >
                {count.toLocaleString('en')}
              </Link>
            </li>
          ))}
        </ul>
      }
    >
      <EventBars
        {...{ history, range }}
        onOpen={(barFromMs, barToMs) => open(eventsHrefOf(barFromMs, barToMs))}
      />
    </LinkedCard>
  );
}
