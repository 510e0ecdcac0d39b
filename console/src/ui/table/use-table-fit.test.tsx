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

let resizeFrame: (width: number) => void;
let resizeTable: (width: number) => void;
/** The width that the table needs. */
let tableWidth: number;
beforeEach(() => {
  let frame = 700;
  tableWidth = 800;
  const observers = new Map<Element, (width: number) => void>();
  const notify = (isTable: boolean, width: number) =>
    act(() => {
      for (const [element, report] of observers) if (element.matches('table') === isTable) report(width);
    });
  resizeFrame = (width) => {
    frame = width;
    notify(false, width);
  };
  resizeTable = (width) => {
    tableWidth = width;
    notify(true, width);
  };
  class SizeObserver {
    readonly #report: (width: number) => void;
    readonly #observed = new Set<Element>();
    constructor(callback: (entries: { contentRect: { width: number } }[]) => void) {
      this.#report = (width) => callback([{ contentRect: { width } }]);
    }
    observe(element: Element) {
      this.#observed.add(element);
      observers.set(element, this.#report);
    }
    disconnect() {
      for (const element of this.#observed) observers.delete(element);
    }
  }
  vi.stubGlobal('ResizeObserver', SizeObserver);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockImplementation(() => frame);
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockImplementation(() => Math.max(tableWidth, frame));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a table that would have to scroll sideways is shown as cards until there is room for it', () => {
  render(<DataTable label="Devices" columns={columns} rows={rows} rowKey={(row) => row.name} empty="" />);
  expect(screen.getByRole('list', { name: 'Devices' })).toBeTruthy();
  resizeFrame(799);
  expect(screen.queryByRole('table')).toBeNull();
  resizeFrame(800);
  expect(screen.getByRole('table', { name: 'Devices' })).toBeTruthy();
  resizeFrame(700);
  expect(screen.queryByRole('table')).toBeNull();
});

test('a table that fitted is shown as cards when a cell grows by itself', () => {
  render(<DataTable label="Devices" columns={columns} rows={rows} rowKey={(row) => row.name} empty="" />);
  resizeFrame(800);
  expect(screen.getByRole('table', { name: 'Devices' })).toBeTruthy();
  resizeTable(801);
  expect(screen.queryByRole('table')).toBeNull();
  resizeFrame(801);
  expect(screen.getByRole('table', { name: 'Devices' })).toBeTruthy();
});

test('a table without room for all columns leaves out the extra ones before it becomes cards', () => {
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockImplementation(function (this: Element) {
    return this.querySelector('[data-tight]') === null ? tableWidth : 700;
  });
  const [name] = columns;
  const withExtra = [name!, { ...name!, id: 'hostname', header: 'Hostname', isExtra: true }];
  render(<DataTable label="Devices" columns={withExtra} rows={rows} rowKey={(row) => row.name} empty="" />);
  const heads = () => screen.queryAllByRole('columnheader').map((head) => head.textContent);
  expect(heads()).toEqual(['Name']);
  resizeFrame(800);
  expect(heads()).toEqual(['Name', 'Hostname']);
  resizeFrame(699);
  expect(heads()).toEqual([]);
  expect(screen.getByRole('list', { name: 'Devices' })).toHaveTextContent('Hostname');
});

test('a long table that did not fit is measured again when few of its rows are left', () => {
  const many = Array.from({ length: 201 }, (_, index) => ({ name: `press ${index}` }));
  const table = (shown: typeof rows) => (
    <DataTable label="Devices" columns={columns} rows={shown} rowKey={(row) => row.name} empty="" />
  );
  const { rerender } = render(table(many));
  expect(screen.queryByRole('table')).toBeNull();
  tableWidth = 600;
  rerender(table(rows));
  expect(screen.getByRole('table', { name: 'Devices' })).toBeTruthy();
});

test('a table that begins empty on a phone is measured when it gets rows and the window grows', () => {
  let isPhone = true;
  const listeners = new Set<() => void>();
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return isPhone;
    },
    addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
  }));
  const table = (shown: typeof rows) => (
    <DataTable label="Devices" columns={columns} rows={shown} rowKey={(row) => row.name} empty="None" />
  );
  const { rerender } = render(table([]));
  rerender(table(rows));
  expect(screen.getByRole('list', { name: 'Devices' })).toBeTruthy();
  isPhone = false;
  act(() => {
    for (const listener of listeners) listener();
  });
  expect(screen.queryByRole('table')).toBeNull();
  resizeFrame(800);
  expect(screen.getByRole('table', { name: 'Devices' })).toBeTruthy();
});
