import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

const devices = (n: number): string => count(n, 'device', 'devices');

/** The texts of the repositories that are linked to a project. */
export const projectRepositoriesCopy = catalogue('projectRepositories', {
  text: (n: number) =>
    `${n === 0 ? 'Devices' : devices(n)} of this project can read the packages of linked repositories and download their files.`,
  filter: 'Filter repositories',
  csvName: 'linked-repositories',
  id: 'ID',
  visibility: 'Visibility',
  packages: 'Packages',
  linked: 'Linked',
  choose: 'Repository',
  placeholder: 'None',
  nothingLeft: 'Nothing to link',
  none: 'All your repositories are linked already.',
  noneAllowed:
    'Every repository that you may link is linked already. Only an owner of a private repository may link it.',
  noneYet: 'You have no repository yet.',
  create: 'Create one',
  link: 'Link Repository',
  unlink: 'Unlink',
  unlinkTitle: (name: string) => `Unlink “${name}”`,
  unlinkText:
    'Members and devices of this project no longer find it. Only an owner of the repository can link it again.',
  unlinkName: (name: string) => `Unlink ${name}`,
  gains: (n: number, name: string) =>
    `${n === 0 ? 'Every device of this project' : devices(n)} will be able to download from “${name}”.`,
  linkedDone: (name: string) => `“${name}” is linked`,
  unlinkedDone: (name: string) => `“${name}” is no longer linked`,
  linkFailed: 'The repository was not linked',
  unlinkFailed: 'The repository is still linked',
  emptyTitle: 'No linked repositories',
  emptyText: 'Link a repository, and the devices of this project can fetch the software in it.',
});
