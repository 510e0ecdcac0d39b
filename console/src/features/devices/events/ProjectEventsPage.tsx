import { type Id, type Output, projectEventFields } from '@corral/contract';
import { Activity } from 'lucide-react';
import { useMemo, useState } from 'react';
import { eventsIn } from '../../../parts/history/events-in.ts';
import { FilterField } from '../../../parts/FilterField.tsx';
import { PathLink } from '../../../parts/PathLink.tsx';
import { ResourceListPage } from '../../../parts/ResourceListPage.tsx';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { OptionalChips } from '../../../ui/form/OptionalChips.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { middleTruncate } from '../../../ui/text/middle-truncate.ts';
import { deviceCopy } from '../device/copy.ts';
import { eventColumns } from '../device/event-columns.tsx';
import { severities } from '../device/severities.ts';
import { eventsPerPage, projectEventsQuery } from '../queries.ts';
import { projectEventsCopy as words } from './copy.ts';
import { EventsOverTime } from './EventsOverTime.tsx';
import type { ProjectEventsSearch } from './events-search.ts';
import { useEventPages } from './use-event-pages.ts';

const labels = deviceCopy.events;

type ProjectEvent = Output<'projects_QueryProjectEvents'>['events'][number];

/** The events of all devices of a project, newest first; filter and severity are in the URL. */
export function ProjectEventsPage({ projectId }: { projectId: Id<'project'> }) {
  const [{ q, severity, range = '24h' }, change] = useUrlSearch<ProjectEventsSearch>();
  const { mistake, isNew, ...rows } = useEventPages(
    {
      queryOf: (page) => projectEventsQuery(projectId, page),
      fields: projectEventFields,
      rowsOf: ({ events }) => events,
      keyOf,
      firstLimit: eventsPerPage,
    },
    { ...(q === undefined ? {} : { events: q }), ...(severity === undefined ? {} : { severity }) },
  );
  const columns = useMemo(() => projectEventColumns(projectId), [projectId]);
  const [isCompleting, setIsCompleting] = useState(false);
  return (
    <ResourceListPage
      meta={() => words.text}
      intro={
        <EventsOverTime
          {...{ projectId, range }}
          onRangeChange={(next) => change({ range: next === '24h' ? undefined : next })}
          onOpen={(fromMs, toMs) => change({ q: eventsIn(fromMs, toMs) })}
        />
      }
      source={() => rows}
      columns={columns}
      rowKey={keyOf}
      rowName={({ eventId }) => eventId}
      filterLabel={labels.filter}
      filterField={(field) => (
        <FilterField
          {...field}
          fields={projectEventFields}
          hints={{ ...labels.filterFields, device: words.deviceFilter }}
          onListChange={setIsCompleting}
        />
      )}
      // While suggestions show, the filter is unfinished and not called wrong.
      filterMistake={isCompleting ? undefined : mistake}
      filters={
        <OptionalChips
          label={labels.severity}
          value={severity}
          onValueChange={(severity) => change({ severity })}
          all={labels.all}
          chips={severities.map((value) => ({ value, label: value }))}
        />
      }
      isFiltered={severity !== undefined}
      onClearFilters={() => change({ severity: undefined })}
      isSortable={false}
      csvName={words.csvName}
      isChanged={isNew}
      empty={{ icon: <Activity size={20} aria-hidden />, title: words.emptyTitle, text: words.emptyText }}
    />
  );
}

function projectEventColumns(projectId: Id<'project'>): readonly DataColumn<ProjectEvent>[] {
  const [severity, emittedAt, ...others] = eventColumns() as readonly DataColumn<ProjectEvent>[];
  const device: DataColumn<ProjectEvent> = {
    id: 'device',
    header: words.device,
    width: '11rem',
    value: ({ deviceName, deviceId }) => deviceName ?? deviceId,
    cell: ({ deviceId, deviceName }) => (
      <div className="min-w-36">
        <PathLink
          text={deviceName ?? middleTruncate(deviceId, 12)}
          path={`/projects/${projectId}/devices/${deviceId}`}
        />
      </div>
    ),
    onPhone: 'meta',
  };
  return [severity, emittedAt, device, ...others].filter((column) => column !== undefined);
}

function keyOf({ deviceId, eventId }: ProjectEvent): string {
  return `${deviceId} ${eventId}`;
}
