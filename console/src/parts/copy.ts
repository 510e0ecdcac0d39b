import { catalogue } from '../copy/catalogue.ts';

/** The texts of the parts that several features use. */
export const partsCopy = catalogue('parts', {
  view: {
    copyLink: 'Copy link to this view',
    link: 'link to this view',
  },
  onlyActor: (actor: string) => `Only ${actor}`,
});
