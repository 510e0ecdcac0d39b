import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

/** The texts of the command palette. */
export const paletteCopy = catalogue('palette', {
  placeholder: 'A name, an ID, a page or an action',
  results: (n: number) => count(n, 'result', 'results'),
  group: {
    recent: 'Recent',
    here: 'On this page',
    up: 'Up',
    devicesOf: (project: string) => `Devices of ${project}`,
    viewsOf: (project: string) => `Views of ${project}`,
    packagesOf: (repository: string) => `Packages of ${repository}`,
    otherDevices: 'Devices of other projects',
    pagesOf: (project: string) => project,
    pages: 'Go to',
    actions: 'Actions',
    copy: 'Copy',
  },
  kinds: {
    project: 'project',
    device: 'device',
    operation: 'operation',
    repository: 'repository',
    package: 'package',
  },
  allMatches: (n: string) => `All ${n} in Devices`,
  allDevices: (n: string) => `All ${n} devices`,
  upTo: (page: string) => `Up to ${page}`,
  theme: (name: string) => `Theme: ${name}`,
  copyWhat: (what: string) => `Copy ${what}`,
  noneTitle: (text: string) => `Nothing here is called “${text}”`,
  noneText:
    'The palette finds projects, devices and repositories by name or ID, pages and actions. Try one of these:',
  examples: ['devices', 'new token', 'copy', 'theme'],
  words: {
    logOut: 'sign out leave',
    theme: 'appearance colour dark light mode',
    view: 'saved view filter',
    shortcuts: 'keys help cheat sheet',
  },
  hint: { open: 'open', newTab: 'new tab', copyId: 'copy ID', close: 'close' },
});
