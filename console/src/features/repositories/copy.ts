import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

/** The texts of the list of repositories. */
export const repositoriesCopy = catalogue('repositories', {
  summary: (repositories: number, packages: number) =>
    `${count(repositories, 'repository', 'repositories')}, ${count(packages, 'package', 'packages')}`,
  createText: 'A repository holds packages, their versions and files. Its name is part of its address.',
  visibility: 'Visibility',
  visibilities: { Private: 'Private', Public: 'Public' },
  visibilityHint: 'Anyone with the address can download from a public repository, without signing in.',
  taken: (name: string) => `A repository named ${name} exists already. Names are unique on this hub.`,
  packages: (n: number) => count(n, 'package', 'packages'),
  linked: 'Linked',
  newest: (name: string) => `${name} published`,
  nothingYet: 'Nothing published yet',
  emptyTitle: 'Create your first repository',
  emptyText:
    'A repository holds the software for your devices. Create one, publish to it from a build machine, and link it to a project.',
  steps: 'Or do all of it from a terminal:',
  commands: 'publish commands',
});
