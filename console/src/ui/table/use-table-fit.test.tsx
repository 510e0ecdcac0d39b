import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DataTable } from './DataTable.tsx';

const columns = [
  {
    id: 'name',
    header: 'Name',
    value: (row: { name: string }) => row.name,
    cell: (row: { name: string }) => row.name,
  },
];
const rows = [{ name: 'press' }];

let resize: (width: number) => void;
beforeEach(() => {
  let frame = 700;
  resize = () => undefined;
  class FrameObserver {
    constructor(callback: (entries: { contentRect: { width: number } }[]) => void) {
      resize = (width) => {
        frame = width;
        act(() => callback([{ contentRect: { width } }]));
      };
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', FrameObserver);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockImplementation(() => frame);
  // The table needs 800 px.
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockImplementation(() => Math.max(800, frame));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a table that would have to scroll sideways is shown as cards until there is room for it', () => {
  render(<DataTable label="Devices" columns={columns} rows={rows} rowKey={(row) => row.name} empty="" />);
  expect(screen.getByRole('list', { name: 'Devices' })).toBeTruthy();
  resize(799);
  expect(screen.queryByRole('table')).toBeNull();
  resize(800);
  expect(screen.getByRole('table', { name: 'Devices' })).toBeTruthy();
  resize(700);
  expect(screen.queryByRole('table')).toBeNull();
});
