import { catalogue } from '../copy/catalogue.ts';

/** The texts of hours of the day. */
export const windowCopy = catalogue('window', {
  from: 'From',
  to: 'To',
  timeZone: 'Time zone',
});
