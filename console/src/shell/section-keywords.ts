import { catalogue } from '../copy/catalogue.ts';

/** The words besides its name by which the palette finds a section. */
export const sectionKeywords = catalogue('sectionKeywords', {
  projects: 'home all start',
  repositories: 'packages assets software',
  invitations: 'invite join',
  profile: 'display name theme density account time zone utc',
  security: 'password api user tokens',
  sessions: 'browsers sign out',
  help: 'docs documentation command line cli install agent download',
  administration: 'administration users instance',
  dashboard: 'administration numbers statistics overview',
  cluster: 'administration nodes uptime version hub',
  devices: 'fleet machines list',
  tokens: 'deployment enrol secret',
  projectMembers: 'members people users owner role invite join leave',
  log: 'audit history events',
  projectRepositories: 'link packages software',
  projectSettings: 'danger delete project',
  packages: 'software versions tags publish',
  assets: 'files bytes digests',
  repositoryMembers: 'members people users owner role invite join leave',
  repositoryLog: 'audit history events',
  repositorySettings: 'danger delete repository visibility public private store quota usage',
});
