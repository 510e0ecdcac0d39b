import { catalogue } from '../../copy/catalogue.ts';

/** The texts of tables and of their export. */
export const tableCopy = catalogue('table', {
  removeFilter: (what: string) => `Remove the filter ${what}`,
  filtered: (shown: number, total: number) =>
    `${shown.toLocaleString('en')} of ${total.toLocaleString('en')} shown`,
  clearFilters: 'Clear filters',
  noMatchTitle: 'Nothing matches',
  noMatchText: 'No row matches the filter.',
  options: (table: string) => `Options for ${table}`,
  csv: 'Download as CSV',
  csvRuns: 'It is being downloaded.',
  rowActions: (name: string) => `Actions for ${name}`,
  actions: 'Actions',
  copyId: 'Copy ID',
  unsaved: 'This is still being saved.',
  selectRow: (name: string) => `Select ${name}`,
  selectAll: (n: number) => `Select all ${n.toLocaleString('en')}`,
  selectAllMatching: (what: string) => `Select ${what}`,
  allSelected: (what: string) => `${what[0]?.toUpperCase() ?? ''}${what.slice(1)} are selected`,
  selected: (n: number) => `${n.toLocaleString('en')} selected`,
  selectionActions: 'Actions for the selected rows',
  clearSelection: 'Clear',
  columns: 'Columns',
  columnsAtFirst: 'Default columns',
  download: {
    reading: (file: string) => `Reading the rows of ${file}`,
    read: (n: number) => `${n.toLocaleString('en')} so far`,
    done: (n: number) => (n === 1 ? '1 row downloaded' : `${n.toLocaleString('en')} rows downloaded`),
    cut: (n: number) => `Only ${n === 1 ? '1 row' : `${n.toLocaleString('en')} rows`} downloaded`,
    cutText: (read: number) =>
      `There are more: an export reads the first ${read.toLocaleString('en')}. A filter finds the others.`,
    failed: (file: string) => `${file} was not downloaded`,
  },
});
