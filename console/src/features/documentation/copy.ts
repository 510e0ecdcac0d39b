import { catalogue } from '../../copy/catalogue.ts';

/** The texts of the documentation pages. */
export const documentationCopy = catalogue('documentation', {
  navigation: 'Documents',
  contents: 'On this page',
  code: 'code',
  missing: 'There is no such document. The list has all of them.',
  search: {
    label: 'Search the documents',
    results: 'Passages',
    nothing: 'Nothing found in the documents.',
    failed: 'The documents cannot be loaded now. Reload the page to try again.',
  },
  groups: { use: 'Use', operate: 'Run a hub', comingFrom: 'Coming from' },
});
