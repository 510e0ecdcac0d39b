/** The texts of the button that copies the link to a list view. */
export const enView = {
  copyLink: 'Copy link to this view',
  link: 'link to this view',
} as const;
