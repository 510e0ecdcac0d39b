import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { nameColumn } from '../ui/table/columns.tsx';
import { ResourceTable } from './ResourceTable.tsx';

test('a list is told which of its rows are in sight', () => {
  const onRowsInSight = vi.fn();
  const rows = [{ name: 'north' }, { name: 'east' }];
  render(
    <ResourceTable
      label="Cranes"
      rows={{ rows, isServerSide: true, onRowsInSight }}
      columns={[nameColumn<(typeof rows)[0]>({ id: 'name', header: 'Name', of: ({ name }) => name })]}
      rowKey={({ name }) => name}
      empty={{ title: 'None yet' }}
    />,
  );
  expect(onRowsInSight).toHaveBeenLastCalledWith(0, 1);
});
