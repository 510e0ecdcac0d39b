import { catalogue } from '../copy/catalogue.ts';

/** The texts of what was done in a project last. */
export const activityCopy = catalogue('activity', {
  title: 'Activity',
  more: (n: number, isCut: boolean) => `and ${n.toLocaleString('en')}${isCut ? '+' : ''} more`,
});
