import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import type { DataColumn, TableSort } from './data-table.ts';
import { DataTable } from './DataTable.tsx';

type Device = { id: string; name: string | null; isConnected: boolean };

const columns: DataColumn<Device>[] = [
  { id: 'name', header: 'Name', value: (row) => row.name, cell: (row) => row.name ?? 'unnamed' },
  { id: 'id', header: 'Id', value: (row) => row.id },
  {
    id: 'status',
    header: 'Status',
    value: (row) => row.isConnected,
    filterText: (row) => (row.isConnected ? 'Connected' : 'Disconnected'),
    cell: (row) => (row.isConnected ? 'Connected' : 'Disconnected'),
  },
  { id: 'actions', header: 'Actions', cell: () => <button type="button">View</button> },
];
const few: Device[] = [
  { id: 'd_1', name: 'crane-10', isConnected: true },
  { id: 'd_2', name: null, isConnected: false },
  { id: 'd_3', name: 'crane-9', isConnected: true },
];

function Table({ rows, onOpen }: { rows: Device[] | undefined; onOpen?: (row: Device) => void }) {
  const [sort, setSort] = useState<TableSort | undefined>();
  const [filter, setFilter] = useState('');
  return (
    <DataTable
      label="Devices"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.id}
      {...{ sort, filter, onOpen }}
      onSortChange={setSort}
      onFilterChange={setFilter}
      empty={<p>Connect your first device</p>}
    />
  );
}

function names(): (string | null)[] {
  return within(screen.getByRole('table', { name: 'Devices' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent ?? null);
}

it('sorts by a column ascending, descending and not at all, with empty values last', async () => {
  render(<Table rows={few} />);
  const head = screen.getByRole('columnheader', { name: 'Name' });
  await userEvent.click(screen.getByRole('button', { name: 'Name' }));
  expect(names()).toEqual(['crane-9', 'crane-10', 'unnamed']);
  expect(head).toHaveAttribute('aria-sort', 'ascending');
  await userEvent.click(screen.getByRole('button', { name: 'Name' }));
  expect(names()).toEqual(['crane-10', 'crane-9', 'unnamed']);
  expect(head).toHaveAttribute('aria-sort', 'descending');
  await userEvent.click(screen.getByRole('button', { name: 'Name' }));
  expect(names()).toEqual(['crane-10', 'unnamed', 'crane-9']);
  expect(head).not.toHaveAttribute('aria-sort');
});

it('offers no sorting by a column of buttons', () => {
  render(<Table rows={few} />);
  expect(screen.queryByRole('button', { name: 'Actions' })).toBeNull();
});

it('filters by every word, and distinguishes no match from an empty list', async () => {
  const user = userEvent.setup();
  const { rerender } = render(<Table rows={few} />);
  const box = screen.getByRole('searchbox', { name: 'Filter devices' });
  await user.type(box, 'CRANE 9');
  expect(names()).toEqual(['crane-9']);
  await user.clear(box);
  await user.type(box, 'disconnected');
  expect(names()).toEqual(['unnamed']);
  await user.type(box, 'x');
  expect(screen.getByRole('heading', { name: 'Nothing matches' })).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(names()).toHaveLength(3);
  rerender(<Table rows={[]} />);
  expect(screen.getByText('Connect your first device')).toBeInTheDocument();
});

it('focuses the filter with /', async () => {
  render(<Table rows={few} />);
  await userEvent.keyboard('/');
  expect(screen.getByRole('searchbox')).toHaveFocus();
  expect(screen.getByRole('searchbox')).toHaveValue('');
});

it('opens a row on a click outside of its controls, and on Enter after j and k', async () => {
  const user = userEvent.setup();
  const open = vi.fn();
  render(<Table rows={few} onOpen={open} />);
  await user.click(screen.getAllByRole('button', { name: 'View' })[0]!);
  expect(open).not.toHaveBeenCalled();
  await user.click(screen.getByText('crane-10'));
  expect(open).toHaveBeenLastCalledWith(few[0]);
  await user.keyboard('jjjk{Enter}');
  expect(open).toHaveBeenLastCalledWith(few[1]);
});

it('moves by j and k in one table of several: the first, or the one with the focus', async () => {
  const user = userEvent.setup();
  render(
    <>
      <Table rows={few} />
      <Table rows={few} />
    </>,
  );
  const rowsOf = (number: number) =>
    within(screen.getAllByRole('table')[number]!).getAllByRole('row').slice(1);
  const active = () => screen.getAllByRole('row').filter((row) => row.dataset.active !== undefined);
  await user.keyboard('jj');
  expect(active()).toEqual([rowsOf(0)[1]]);
  expect(rowsOf(0)[1]).toHaveFocus();
  rowsOf(1)[0]!.querySelector<HTMLElement>('button')!.focus();
  await user.keyboard('j');
  expect(active()).toEqual([rowsOf(1)[0]]);
  expect(rowsOf(1)[0]).toHaveFocus();
  await user.keyboard('j');
  expect(rowsOf(1)[1]).toHaveFocus();
  // Without the focus in a table, it goes on from the active row.
  rowsOf(1)[1]!.blur();
  await user.keyboard('k');
  expect(active()).toEqual([rowsOf(1)[0]]);
});

it('does not open a row while its text is selected', async () => {
  const open = vi.fn();
  render(<Table rows={few} onOpen={open} />);
  vi.spyOn(window, 'getSelection').mockReturnValue({ toString: () => 'crane' } as Selection);
  await userEvent.click(screen.getByText('crane-10'));
  expect(open).not.toHaveBeenCalled();
});

it('renders only rows near the viewport above 200, and exposes the total', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    id: `d_${index}`,
    name: `n-${index}`,
    isConnected: true,
  }));
  render(<Table rows={many} />);
  const table = screen.getByRole('table');
  expect(table).toHaveAttribute('aria-rowcount', '10001');
  const rows = within(table).getAllByRole('row');
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.length).toBeLessThan(120);
  expect(rows[1]).toHaveAttribute('aria-rowindex', '2');
});

it('renders only rows near the viewport of a long list even while few match', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    id: `d_${index}`,
    name: index < 190 ? `crane-${index}` : `gate-${index}`,
    isConnected: true,
  }));
  render(<Table rows={many} />);
  await userEvent.type(screen.getByRole('searchbox'), 'crane');
  const table = screen.getByRole('table');
  expect(table).toHaveAttribute('aria-rowcount', '191');
  expect(within(table).getAllByRole('row').length).toBeLessThan(120);
});

it('renders all of 200 rows', () => {
  const rows = Array.from({ length: 200 }, (_, index) => ({
    id: `d_${index}`,
    name: null,
    isConnected: true,
  }));
  render(<Table rows={rows} />);
  expect(screen.getAllByRole('row')).toHaveLength(201);
  expect(screen.getByRole('table')).not.toHaveAttribute('aria-rowcount');
});

it('shows that it is loading', () => {
  render(<Table rows={undefined} />);
  expect(screen.getByText('Loading Devices')).toBeInTheDocument();
});
