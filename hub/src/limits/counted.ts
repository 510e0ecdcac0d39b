import { userQuotas } from '@corral/contract';
import { network, throttled, type Limit, type Window } from './limit.ts';

const [minute, hour, day] = [60, 3_600, 86_400];
const times = (max: number, secs: number): Window => ({ max, secs });
const hourAndDay = [times(5, hour), times(20, day)];
const each = 'Sign-ups, activation links sent again, and links that set a password, each';
const mailBombs = 'Somebody has the hub fill the mailbox of a stranger.';
const robots = 'Robots fill the hub with accounts and mail.';
const fullAuditLog = 'A broken program or a stolen token fills the audit log.';

const within = <const Windows extends readonly Window[]>(
  what: string,
  per: string,
  windows: Windows,
  scenario: string,
) => ({ what, per, windows, scenario, refused: 'Throttled, with the time to wait' });

/** The limits that are counted in the database, for all nodes together. */
export const countedLimits = {
  visitorRequestsOfNetwork: within(each, network, hourAndDay, robots),
  visitorRequests: within(each, 'instance', [times(60, minute)], robots),
  mailsToAddress: within('E-mails to an address without an account', 'address', hourAndDay, mailBombs),
  passwordLinks: within('E-mails with a link to set a password', 'user', hourAndDay, mailBombs),
  testMails: within('Test e-mails', 'administrator', [times(10, 10 * minute)], mailBombs),
  alertTests: within('Tests of an alert rule', 'rule', [times(20, 10 * minute)], mailBombs),
  invitations: within(
    'Invitations',
    'inviting user',
    [times(100, hour), times(400, day)],
    'A stolen account mails thousands of strangers.',
  ),
  invitationMailsOfUser: within('E-mails with invitations', 'user and address', [times(20, day)], mailBombs),
  invitationMails: within('The same from all', 'address', [times(100, day)], mailBombs),
  passwordChanges: within(
    'New passwords, and wrong present ones',
    'account',
    [times(5, hour)],
    'An open session is used to guess.',
  ),
  unprovenDeletions: {
    what: 'Devices deleted without a proof of who it is',
    per: 'user',
    windows: [times(10, 10 * minute)],
    scenario: 'Somebody finds an open session, and deletes the fleet in slices.',
    refused: 'a proof is asked for',
  },
  loginsOfNetwork: within('Sign-ins of command lines', network, [times(30, 10 * minute)], robots),
  logins: within('The same', 'instance', [times(300, minute)], robots),
  providerSignInsOfNetwork: within(
    'Steps of sign-ins at the provider',
    network,
    [times(60, minute)],
    'Robots have the hub ask the provider, and fill the audit log.',
  ),
  providerLogoutsOfNetwork: within(
    'Sign-outs by the provider',
    network,
    [times(600, minute)],
    'Robots have the hub check signatures.',
  ),
  pendingLogins: {
    what: 'Sign-ins of command lines that wait for their code',
    per: network,
    inAll: 1_000,
    ofCaller: 10,
    waiting: 0,
    scenario: robots,
    refused: throttled('Too many sign-ins wait to be confirmed. Please try again later.', 60),
  },
  wrongCodes: within(
    'Wrong codes of command lines',
    'user',
    [times(5, 10 * minute)],
    'Short codes are guessed.',
  ),
  idTokensOfNetwork: within('ID tokens of CIs that are exchanged', network, [times(60, minute)], robots),
  idTokens: within('The same, signed by an issuer that is allowed', 'instance', [times(600, minute)], robots),
  pairingTries: within(
    'Tries of pairing keys that fail',
    network,
    [times(30, minute)],
    'Somebody guesses at the keys of others.',
  ),
  refusedIdTokens: {
    ...within(
      'Refused ID tokens that are recorded',
      'repository and issuer',
      [times(10, minute)],
      fullAuditLog,
    ),
    refused: 'further ones are refused and leave nothing',
  },
  signIns: within('Successful sign-ins', 'account', [times(60, hour)], fullAuditLog),
  failedSignInsToAccount: {
    ...within(
      'Failed sign-ins to an account',
      'account',
      [times(100, day)],
      'A botnet guesses at a password.',
    ),
    blockSecs: 30,
  },
  failedSignInsOfPair: {
    ...within('The same from one network', `account and ${network}`, [times(5, day)], 'Somebody guesses.'),
    blockSecs: 30,
    mostBlockSecs: 15 * minute,
  },
  failedSignInsOfNetwork: within(
    'Failed sign-ins to any account',
    network,
    [times(30, minute)],
    'Somebody guesses at many accounts.',
  ),
  failedSignIns: within('The same', 'instance', [times(1_000, minute)], 'A botnet guesses at many accounts.'),
  refusalsInAuditLog: {
    ...within('Rows of refused anonymous calls', network, [times(1, minute)], fullAuditLog),
    refused: 'counted, and one row has their number',
  },
  auditedRows: {
    ...within(
      'Rows of commands in the audit log',
      'user',
      [times(userQuotas.recordedRowsPerHour, hour)],
      fullAuditLog,
    ),
    setBy: 'settings of the instance',
  },
} as const satisfies Record<string, Limit>;
