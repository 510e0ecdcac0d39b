import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { liveRows } from '../../../parts/live-rows.ts';
import { ResourceListPage } from '../../../parts/ResourceListPage.tsx';
import type { RowSource } from '../../../parts/row-source.ts';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { OptionalChips } from '../../../ui/form/OptionalChips.tsx';
import { badgeColumn, nameColumn, timeColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { rotationCopy as words } from './copy.ts';
import { RotationBadge } from './RotationBadge.tsx';
import { RotationNext } from './RotationNext.tsx';
import { rotationStates, type RotationSearch } from './rotation-search.ts';
import { type Rotation, rotationsQuery } from './rotations.ts';

/** The rotations of the certificates of a project. */
export function RotationsPage({ projectId }: { projectId: Id<'project'> }) {
  const [{ state }, change] = useUrlSearch<RotationSearch>();
  const navigate = useNavigate();
  return (
    <ResourceListPage
      title={words.title}
      name={words.title}
      meta={() => words.text}
      source={useMemo(() => rotationsSource(projectId, state), [projectId, state])}
      columns={columns}
      rowKey={keyOf}
      rowName={nameOf}
      isSortable={false}
      filters={
        <OptionalChips
          label={words.filter}
          value={state}
          onValueChange={(state) => change({ state })}
          all={words.all}
          chips={rotationStates.map((value) => ({
            value,
            label: value === 'Unresolved' ? words.unresolved : words.states[value],
          }))}
        />
      }
      isFiltered={state !== undefined}
      onClearFilters={() => change({ state: undefined })}
      csvName={words.csvName}
      onOpen={({ deviceId }) =>
        void navigate({ to: '/projects/$projectId/devices/$deviceId', params: { projectId, deviceId } })
      }
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    />
  );
}

const keyOf = ({ deviceId, startedAt }: Rotation): string => `${deviceId} ${startedAt}`;
const nameOf = ({ deviceName, deviceId }: Rotation): string => deviceName ?? deviceId;

function rotationsSource(projectId: Id<'project'>, state: RotationSearch['state']): RowSource<Rotation> {
  return liveRows({
    queryOf: (after) => rotationsQuery(projectId, state, after),
    rowsOf: ({ rotations }) => rotations,
    keyOf,
  });
}

const columns: readonly DataColumn<Rotation>[] = [
  nameColumn<Rotation>({ header: words.columns.device, of: nameOf, width: '14rem' }),
  badgeColumn<Rotation>({
    id: 'state',
    header: words.columns.state,
    width: '10rem',
    of: ({ state }) => words.states[state],
    badge: ({ state }) => <RotationBadge state={state} />,
  }),
  {
    id: 'next',
    header: words.columns.next,
    isFilling: true,
    value: ({ problem, state }) => problem ?? words.states[state],
    cell: (rotation) => <RotationNext {...{ rotation }} />,
    onPhone: 'meta',
  },
  {
    id: 'reason',
    header: words.columns.reason,
    width: '12rem',
    isExtra: true,
    value: ({ reason }) => reason ?? '',
    cell: ({ reason }) => <span className="wrap-anywhere text-ink2">{reason}</span>,
  },
  timeColumn<Rotation>({
    id: 'started',
    header: words.columns.started,
    width: '9rem',
    of: ({ startedAt }) => startedAt,
  }),
];
