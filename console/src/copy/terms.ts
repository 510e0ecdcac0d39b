/** Words and sentences that several parts of the console use. */
export const terms = {
  product: 'Corral',
  beta: 'Beta',
  myAccount: 'My Account',
  unnamed: 'unnamed',
  nameRequired: 'Name must not be empty.',
  errorTitle: 'Error',
  sections: {
    projects: 'Projects',
    repositories: 'Repositories',
    invitations: 'Invitations',
    administration: 'Administration',
    devices: 'Devices',
    tokens: 'Tokens',
    log: 'Log',
    settings: 'Settings',
    profile: 'Profile',
    security: 'Security',
    sessions: 'Sessions',
    help: 'Help',
  },
} as const;
