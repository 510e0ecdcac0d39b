/** The texts of views, which are what the URL of a list shows. */
export const enView = {
  copyLink: 'Copy link to this view',
  link: 'link to this view',
} as const;
