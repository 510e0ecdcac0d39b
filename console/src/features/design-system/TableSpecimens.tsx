import { ArrowRight, Cpu } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { DeviceBadge } from '../../ui/badge/DeviceBadge.tsx';
import { PendingCountBadge } from '../../ui/badge/PendingCountBadge.tsx';
import { FilterChips } from '../../ui/form/FilterChips.tsx';
import { EmptyState } from '../../ui/layout/EmptyState.tsx';
import { MenuItem } from '../../ui/overlay/MenuItem.tsx';
import type { DataColumn, TableSort } from '../../ui/table/data-table.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { IdTag } from '../../ui/text/IdTag.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';

type Device = { id: string; name: string; firstSeen: number; isConnected: boolean; pending: number };

const names = [
  'crane-04-gantry',
  'quay-camera-north',
  '',
  'reefer-gateway-01',
  'tide-gauge',
  'weighbridge-east',
];
const base = Date.UTC(2026, 9, 2);

function devices(count: number): Device[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `d_${(index * 7919 + 104_729).toString(36).padStart(6, '9')}W2eBZt3m${index}`,
    name:
      count > names.length && names[index % names.length] !== ''
        ? `${names[index % names.length]}-${index}`
        : (names[index % names.length] ?? ''),
    firstSeen: base - index * 5_400_000,
    isConnected: index % 5 !== 3,
    pending: index % 6 === 1 ? 2 : 0,
  }));
}

const columns: DataColumn<Device>[] = [
  {
    id: 'name',
    header: 'Name',
    value: (row) => row.name,
    cell: (row) =>
      row.name === '' ? (
        <span className="text-ink3">unnamed</span>
      ) : (
        <span className="font-head">{row.name}</span>
      ),
    width: '22%',
    onPhone: 'title',
  },
  {
    id: 'id',
    header: 'Id',
    value: (row) => row.id,
    cell: (row) => <IdTag value={row.id} what="device ID" />,
    width: '20%',
    onPhone: 'meta',
  },
  {
    id: 'firstSeen',
    header: 'First Seen',
    value: (row) => new Date(row.firstSeen),
    cell: (row) => <RelativeTime at={row.firstSeen} />,
    width: '15%',
    onPhone: 'meta',
  },
  {
    id: 'status',
    header: 'Status',
    value: (row) => row.isConnected,
    filterText: (row) => (row.isConnected ? 'Connected' : 'Disconnected'),
    cell: (row) => <DeviceBadge isConnected={row.isConnected} />,
    width: '15%',
    onPhone: 'badge',
  },
  {
    id: 'pending',
    header: 'Pending Certificates',
    value: (row) => row.pending,
    cell: (row) => <PendingCountBadge count={row.pending} />,
    phoneCell: (row) => row.pending > 0 && <PendingCountBadge count={row.pending} word="pending" />,
    onPhone: 'badge',
  },
  {
    id: 'actions',
    header: 'Actions',
    align: 'end',
    cell: () => (
      <ButtonLink size="small" render={<a href="#table" />} iconEnd={<ArrowRight size={14} aria-hidden />}>
        View
      </ButtonLink>
    ),
    width: '7rem',
    onPhone: 'hidden',
  },
];

const views = { few: 6, many: 10_000, none: 0, loading: undefined } as const;
type View = keyof typeof views;

/** The table in each of its states. */
export function TableSpecimens() {
  const [view, setView] = useState<View>('few');
  return (
    <section id="table" aria-labelledby="table-title" className="flex flex-col gap-3">
      <h2 id="table-title" className="text-section">
        Table
      </h2>
      <FilterChips<View>
        label="State of the table"
        value={view}
        onValueChange={setView}
        chips={[
          { value: 'few', label: 'Few rows' },
          { value: 'many', label: '10,000 rows' },
          { value: 'none', label: 'Empty' },
          { value: 'loading', label: 'Loading' },
        ]}
      />
      <Sample key={view} count={views[view]} />
    </section>
  );
}

function Sample({ count }: { count: number | undefined }) {
  const rows = useMemo(() => (count === undefined ? undefined : devices(count)), [count]);
  const [filter, setFilter] = useState('');
  const [sort, setSort] = useState<TableSort | undefined>();
  return (
    <DataTable
      label="Devices"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.id}
      rowName={(row) => row.name || row.id}
      {...{ filter, sort }}
      onFilterChange={setFilter}
      onSortChange={setSort}
      csvName="devices"
      onOpen={() => undefined}
      rowMenu={() => <MenuItem onSelect={() => undefined}>Copy ID</MenuItem>}
      empty={
        <EmptyState
          icon={<Cpu size={20} aria-hidden />}
          title="Connect your first device"
          text="Run this on the device. It appears here as soon as it connects."
        >
          <CodeBlock code="corral-agent run --token ct_8Kx…" what="agent command" prompt="$" />
        </EmptyState>
      }
    />
  );
}
