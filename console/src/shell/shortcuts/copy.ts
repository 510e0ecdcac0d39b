import { catalogue } from '../../copy/catalogue.ts';

/** The texts of the sheet of keyboard shortcuts. */
export const shortcutSheetCopy = catalogue('shortcutSheet', {
  off: 'Single-key shortcuts are switched off in your profile. Those with a modifier work.',
  on: 'Single keys can be switched off in your profile. They never act while you type.',
  profile: 'Open profile',
  allHelp: 'All help',
});
