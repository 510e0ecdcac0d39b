import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

/** The texts of the service accounts of a project or repository. */
export const serviceAccountsCopy = catalogue('serviceAccounts', {
  title: 'Service accounts',
  text: 'A service account lets a program act here with tokens of its own, which stay when people leave. It is a member that never signs in.',
  create: 'New Service Account',
  nameHint: 'What it is for, such as the build server.',
  ownerOnly: 'Only an owner may do this.',
  columnId: 'User Id',
  columnTokens: 'Tokens',
  columnUsed: 'Last Used',
  newToken: 'New Token',
  newTokenOf: (name: string) => `New token of “${name}”`,
  tokenText: (name: string) => `A token lets a program act as the service account “${name}”.`,
  showTokens: 'Show Tokens',
  showTokensOf: (name: string) => `Show the tokens of “${name}”`,
  tokensOf: (name: string) => `Tokens of “${name}”`,
  noTokensTitle: 'No tokens',
  noTokensText: 'Without a token nothing can act as this account.',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete service account “${name}”`,
  deleteText: (n: number) =>
    `Whatever uses its ${count(n, 'token', 'tokens')} is cut off at once. What it did stays in the log. This cannot be undone.`,
  deleted: (name: string) => `Service account “${name}” was deleted`,
  emptyTitle: 'No service accounts',
  emptyText: 'Create one for a program, so that it needs no token of a person.',
});
