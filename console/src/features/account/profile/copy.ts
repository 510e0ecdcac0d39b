import { catalogue } from '../../../copy/catalogue.ts';

/** The texts of the profile. */
export const profileCopy = catalogue('profile', {
  nameTitle: 'Display name',
  name: 'Display name',
  nameText: 'People you share projects with see it.',
  saved: 'Display name was changed',
  notSaved: 'The display name was not changed',
  userId: 'User ID',
  appearance: 'Appearance',
  theme: 'Theme',
  density: 'Row height',
  compact: 'Compact',
  default: 'Default',
  touch: 'Touch',
  appearanceText: 'Kept in this browser.',
  timeZone: 'Time zone',
  local: 'Local',
  utc: 'UTC',
  timeZoneText: (local: string, now: string) =>
    `For all dates and times. Local is ${local}. It is ${now} now.`,
  shortcuts: 'Single-key shortcuts',
  shortcutsText: 'For example / for the filter of a list. Press ? to see them all.',
});
