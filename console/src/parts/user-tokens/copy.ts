import type { TokenVerb } from '@corral/contract';
import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

const short: Record<TokenVerb, string> = {
  read: 'Read',
  publish: 'Publish',
  forward: 'Open devices',
  operate: 'Operate',
  manage: 'Manage',
};

/** The texts of the tokens of people and of service accounts. */
export const userTokensCopy = catalogue('userTokens', {
  nameHint: 'What will use it, such as the name of a machine.',
  secret: {
    title: 'User token created',
    what: 'user token',
    use: 'The command line asks for it:',
    commandWhat: 'command that sets up the command line',
  },
  columnId: 'Token Id',
  columnCreated: 'Created At',
  columnUsed: 'Last Used',
  columnAccess: 'Access',
  columnExpires: 'Expires',
  may: 'May',
  mayHint:
    'Every choice includes reading and downloading. No token can make tokens or change its own rights.',
  everything: 'Everything that you may do',
  everythingOfMember: 'Everything that a member may do',
  choices: {
    read: 'Only read, and download files',
    publish: 'Publish packages, versions and their files',
    forward: 'Open ports and web pages of devices',
    operate: 'Run operations, and set properties of devices',
    manage: 'Manage: devices, packages, settings and members',
  } satisfies Record<TokenVerb, string>,
  administrator: 'With your rights of an administrator',
  verbs: (verbs: readonly TokenVerb[]) => verbs.map((verb) => short[verb]).join(', '),
  accessFull: 'Full',
  accessRead: 'Read only',
  accessAdministrator: 'Administrator',
  accessLimited: (n: number) => count(n, 'place', 'places'),
  validFor: 'Good for',
  days: (n: number) => `${n} days`,
  expired: 'Expired',
  expiresSoon: 'Expires soon',
  neverExpires: 'Never',
  deleteText: (n: number) =>
    `Whatever uses ${n === 1 ? 'this token' : 'these tokens'} is cut off at once. This cannot be undone.`,
});
