import { catalogue } from '../copy/catalogue.ts';

/** The texts of the toast about a part that could not be loaded. Apart from the others, because visitors load them, too. */
export const notLoadedCopy = catalogue('notLoaded', {
  title: 'Not loaded yet',
  text: 'The hub cannot be reached. This opens when the hub is back.',
});
