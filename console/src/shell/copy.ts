import { catalogue } from '../copy/catalogue.ts';
import { count } from '../copy/count.ts';

/** The texts of the shell around the pages of a signed-in user. */
export const shellCopy = catalogue('shell', {
  logOut: 'Log Out',
  logOutFailed: 'You are still signed in',
  offline: 'The hub cannot be reached. What you see may be old, and nothing can be changed until it is back.',
  offlineReason: 'The hub cannot be reached right now.',
  lastHeard: 'Last heard',
  tryNow: 'Try now',
  leaveSecret: {
    title: 'Leave without the secret',
    text: 'The secret on this page is shown only now. Store it first, or delete it later and create another one.',
    verb: 'Leave',
  },
  printed: (when: string, zone: string) => `printed ${when}, times are ${zone}`,
  account: {
    home: 'Corral, go to projects',
    menu: (name: string) => `Account of ${name}`,
    invitations: (n: number) => count(n, 'invitation', 'invitations'),
  },
  project: {
    navigation: 'Project',
    switchProject: 'Switch project',
    allProjects: 'All projects',
    views: { title: 'Saved views of the devices', all: 'All views', fewer: 'Fewer views' },
  },
  repository: {
    navigation: 'Repository',
    switchRepository: 'Switch repository',
    allRepositories: 'All repositories',
  },
});
