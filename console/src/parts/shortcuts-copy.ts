import { catalogue } from '../copy/catalogue.ts';

/** The names of the keyboard shortcuts. */
export const shortcutsCopy = catalogue('shortcuts', {
  groups: {
    everywhere: 'Everywhere',
    go: 'Go',
    lists: 'In a list',
    palette: 'In the palette',
  },
  keys: {
    filter: 'Filter the list on the page',
    create: 'Create, on pages that have something to create',
    sheet: 'All shortcuts',
    toasts: 'To the notifications',
    nextRow: 'Next row',
    previousRow: 'Previous row',
    openRow: 'Open the row',
    selectRow: 'Select the row, where rows can be selected',
    selectRange: 'Select all rows since the last one',
    bulk: 'To the actions on the selected rows',
    clear: 'Clear the filter, then leave it',
    open: 'Open',
    newTab: 'Open in a new tab',
    copyId: 'Copy the ID',
  },
  thenPress: 'then',
});
