import { type DeviceEvent, type DeviceEventSeverity, eventFields, type Id } from '@corral/contract';
import { useMemo, useState } from 'react';
import { deviceCopy } from './copy.ts';
import { deviceEventsLimit } from '../queries.ts';
import { OptionalChips } from '../../../ui/form/OptionalChips.tsx';
import type { SearchFieldProps } from '../../../ui/form/SearchField.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { FilterField } from '../../../parts/FilterField.tsx';
import { NextPage } from '../../../parts/NextPage.tsx';
import { omitUndefined } from '../../../parts/search-values.ts';
import { useUrlText } from '../../../parts/use-url-text.ts';
import { ClockNotice } from './EventClock.tsx';
import { eventColumns } from './event-columns.tsx';
import type { EventsSearch } from './events-search.ts';
import { severities } from './severities.ts';
import { useListedEvents } from './use-listed-events.ts';

const words = deviceCopy.events;

/** The events of a device, newest first, updated live; the filter is in the URL. */
export function EventsCard({
  deviceId,
  search,
  onSearchChange,
}: {
  deviceId: Id<'device'>;
  search: EventsSearch;
  onSearchChange: (search: EventsSearch) => void;
}) {
  const { severity } = search;
  const { rows, newest, mistake, error, retry, isNew, more, ...listed } = useListedEvents(deviceId, search);
  const [filter, setFilter] = useUrlText(search.events ?? '', (text) =>
    onSearchChange(omitUndefined({ ...search, events: text === '' ? undefined : text })),
  );
  const [isCompleting, setIsCompleting] = useState(false);
  const columns = useMemo(() => eventColumns(), []);
  const hasEvents = newest !== undefined && newest.length > 0;
  return (
    <Card
      isFlush
      isUnclipped
      title={words.title}
      meta={
        rows !== undefined &&
        rows.length > 0 && <span className="max-sm:hidden">{words.shown(rows.length)}</span>
      }
    >
      <ErrorBoundary isFlush error={error} onRetry={retry}>
        <ClockNotice newest={newest?.[0]} />
        {newest === undefined ? (
          <p role="status" className="px-4.5 py-3.5 text-body text-ink3">
            {words.loading}
          </p>
        ) : (
          <DataTable
            {...listed}
            isFlush
            isMultiline
            label={words.title}
            columns={columns}
            rows={rows}
            rowKey={keyOf}
            isChanged={isNew}
            filter={hasEvents ? filter : undefined}
            onFilterChange={hasEvents ? setFilter : undefined}
            filterLabel={words.filter}
            filterField={(field) => <EventFilterField {...field} onListChange={setIsCompleting} />}
            // While suggestions show, the filter is unfinished and not called wrong.
            filterMistake={isCompleting ? undefined : mistake}
            filters={
              hasEvents ? (
                <SeverityChips
                  {...{ newest, severity }}
                  onSeverityChange={(next) => onSearchChange(omitUndefined({ ...search, severity: next }))}
                />
              ) : undefined
            }
            isFiltered={hasEvents && severity !== undefined}
            onClearFilters={() => onSearchChange({})}
            empty={<p className="px-4.5 py-3.5 text-body text-ink3">{words.empty}</p>}
          />
        )}
        {more !== undefined && (
          <div className="border-t border-line">
            <NextPage more={more} />
          </div>
        )}
      </ErrorBoundary>
    </Card>
  );
}

function EventFilterField(field: SearchFieldProps & { onListChange: (isOpen: boolean) => void }) {
  return <FilterField {...field} fields={eventFields} hints={words.filterFields} />;
}

function keyOf({ eventId }: DeviceEvent): string {
  return eventId;
}

/** All severities where there are more events than the newest ones; else those that occur. */
function SeverityChips({
  newest,
  severity,
  onSeverityChange,
}: {
  newest: readonly DeviceEvent[];
  severity: DeviceEventSeverity | undefined;
  onSeverityChange: (severity: DeviceEventSeverity | undefined) => void;
}) {
  const isAll = newest.length < deviceEventsLimit;
  const offered = severities.filter(
    (one) => !isAll || one === severity || newest.some((event) => event.severity === one),
  );
  return (
    <OptionalChips
      label={words.severity}
      value={severity}
      onValueChange={onSeverityChange}
      all={words.all}
      chips={offered.map((value) => ({ value, label: value }))}
    />
  );
}
