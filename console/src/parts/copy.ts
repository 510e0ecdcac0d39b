/** The texts of the parts that several features use. */
export const partsCopy = {
  view: {
    copyLink: 'Copy link to this view',
    link: 'link to this view',
  },
  actor: {
    user: 'user ID',
    token: 'token ID',
    node: 'node ID',
    device: 'device ID',
    only: (actor: string) => `Only ${actor}`,
  },
} as const;
