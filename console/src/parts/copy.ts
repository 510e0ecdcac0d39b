import { catalogue } from '../copy/catalogue.ts';

/** The texts of the parts that several features use. */
export const partsCopy = catalogue('parts', {
  view: {
    copyLink: 'Copy link to this view',
    link: 'link to this view',
  },
  rows: {
    more: 'Load more',
    all: (n: number) => `These are all ${n.toLocaleString('en')}.`,
    first: (n: number) =>
      `These are the first ${n.toLocaleString('en')}. The command line lists all of them.`,
  },
  commands: {
    what: (does: string) => `command: ${does}`,
    install: 'The program is called corral.',
    installLink: 'How to install it',
  },
  notLoaded: {
    title: 'Not loaded yet',
    text: 'The hub cannot be reached. This opens when the hub is back.',
  },
  idWhat: 'ID',
  onlyActor: (actor: string) => `Only ${actor}`,
});
