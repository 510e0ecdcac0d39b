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
    clear: 'Clear the filter, then leave it',
    open: 'Open',
    newTab: 'Open in a new tab',
    copyId: 'Copy the ID',
  },
  thenPress: 'then',
});
