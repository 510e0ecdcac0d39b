import { catalogue } from '../../copy/catalogue.ts';

/** The texts of the documentation pages. */
export const documentationCopy = catalogue('documentation', {
  navigation: 'Documents',
  contents: 'On this page',
  code: 'code',
  missing: 'There is no such document. The list has all of them.',
  groups: { use: 'Use', operate: 'Run a hub' },
});
