// All limits of the hub; everything else uses them by name, and SECURITY.md shows them. A limit enters only with the scenario of a user that fails without it, and a ratio to a bare server is none. Two that
// guard the same are one.
import { availableParallelism } from 'node:os';
import type { Limit, Refusal, Window } from './limit.ts';

const [minute, hour, day] = [60, 3_600, 86_400];
const times = (max: number, secs: number): Window => ({ max, secs });
const hourAndDay = [times(5, hour), times(20, day)];
const each = 'Sign-ups, activation links sent again, and links that set a password, each';
const mailBombs = 'Somebody has the hub fill the mailbox of a stranger.';
const robots = 'Robots fill the hub with accounts and mail.';
/** Passwords are checked on the four threads of libuv; one stays free for files and DNS. */
const passwordThreads = Math.min(availableParallelism(), 3);

const network = 'IPv4 address or IPv6 /64';
const comeBack = '429 with Retry-After, before anything is checked';
const waits = 'waits up to 5 s on its connection, then 429 with Retry-After';
const floodOfRefusals =
  'Somebody with a good deployment token makes the database check devices that are refused.';
const fullAuditLog = 'A broken program or a stolen token fills the audit log.';
/** Counted in the database. */
const within = <const Windows extends readonly Window[]>(
  what: string,
  per: string,
  windows: Windows,
  scenario: string,
) => ({ what, per, windows, scenario, refused: 'Throttled, with the time to wait' });
const throttled = (sentence: string, retryAfterSecs = 5) =>
  ({ kind: 'Throttled', sentence, retryAfterSecs }) satisfies Refusal;

/** How long calls and requests above a rate wait for their turn at most, in milliseconds. */
export const longestWaitMs = 5_000;

/** Each limit by its name. */
export const limits = {
  connects: {
    what: 'Connections that begin',
    // The event loop decides between the two: the lower still has 15,000 devices back within a minute.
    perSecond: 500,
    lowestPerSecond: 300,
    burst: 500,
    scenario: 'A fleet returns after a restart, and queries of people take seconds meanwhile.',
    refused: 'told by Retry-After when to come back, each once; who comes before moves nobody back',
  },
  keptConnects: {
    what: 'Connections kept for projects and users who connect seldom',
    perSecond: 50,
    burst: 500,
    scenario: 'The devices of one project, however many, keep out all others.',
    refused: 'as above',
  },
  connectShare: {
    what: 'Of these, those of one',
    per: `project or user; of a ${network} before the token is known`,
    perSecond: 5,
    burst: 100,
    scenario: 'As above.',
    refused: 'as above',
  },
  admissions: {
    what: 'Connections that are being admitted',
    inAll: 64,
    waiting: 500,
    scenario: 'A fleet that returns takes all connections to the database.',
    refused: 'as above',
  },
  connectsOfDevice: {
    what: 'Attempts to connect with one secret of a running device',
    per: 'device',
    perSecond: 1,
    burst: 30,
    scenario: 'A broken device connects in a loop; a connection that violates the protocol counts as ten.',
    refused: comeBack,
  },
  connectsOfScript: {
    what: 'Attempts to connect by one-shot commands and command lines',
    per: 'device or user token',
    perSecond: 1,
    burst: 200,
    scenario: 'A script calls a command in a loop that never ends.',
    refused: comeBack,
  },
  connectsOfUser: {
    what: 'Attempts to connect by one user, with all tokens',
    per: 'user',
    perSecond: 4,
    burst: 300,
    scenario: 'A user with hundreds of tokens connects with each as often as with one.',
    refused: comeBack,
  },
  failedConnects: {
    what: 'Attempts to connect with wrong or malformed credentials',
    per: network,
    perSecond: 10,
    burst: 300,
    scenario: 'Guesses at tokens take the time of the database from devices.',
    refused: `${comeBack}; credentials that were right lately still count`,
  },
  refusedDevicesOfTokenAtNetwork: {
    what: 'Devices that are refused with a valid deployment token, as too many or without an active certificate',
    per: `token and ${network}`,
    perSecond: 20,
    burst: 300,
    scenario: floodOfRefusals,
    refused: `${comeBack}; devices that were admitted lately still are`,
  },
  refusedDevicesOfToken: {
    what: 'The same from everywhere',
    per: 'token',
    perSecond: 100,
    burst: 1_000,
    scenario: floodOfRefusals,
    refused: 'as above',
  },
  refusedDevicesOfNetwork: {
    what: 'The same with all tokens',
    per: network,
    perSecond: 50,
    burst: 1_000,
    scenario: floodOfRefusals,
    refused: 'as above',
  },
  callsOfLink: {
    what: 'Calls on one connection of a device or command line',
    per: 'connection',
    ofCaller: 8,
    scenario: 'One peer makes the hub keep thousands of inputs and answers in memory.',
    refused: 'waits unread',
  },
  largeInputs: {
    what: 'Inputs above 64 KiB, over HTTP and over connections of devices and command lines each',
    group: 'the devices of a project',
    inAll: 32,
    ofCaller: 2,
    ofGroup: 16,
    waiting: 16_384,
    scenario: 'A fleet returns with full batches of events, and their inputs take all memory.',
    refused: throttled('Too many large inputs are waiting. Try again in a moment.'),
  },
  streamsOfUser: {
    what: 'Forwarded streams',
    per: 'user',
    ofCaller: 512,
    waiting: 0,
    scenario: 'One command line takes the streams of all devices.',
    refused: 'the stream is rejected',
  },
  liveViews: {
    what: 'Live views',
    per: 'user',
    ofCaller: 50,
    waiting: 0,
    scenario: 'A tab that opens again and again takes the memory of the hub.',
    refused: throttled('You have too many pages open.', 30),
  },
  anonymousRequests: {
    what: 'Requests without a session or token, also at the host names of devices',
    per: network,
    perSecond: 100,
    burst: 300,
    scenario: 'A crawler or an attacker without an account takes the time of people who are signed in.',
    refused: waits,
    setBy: '`CORRAL_ANONYMOUS_REQUESTS_PER_SECOND`; at once three times as many',
  },
  anonymousFiles: {
    what: 'Requests below `/r/` without a URL that the hub signed, such as files of public repositories',
    per: network,
    perSecond: 1_000,
    burst: 3_000,
    scenario: 'The same; build machines behind one address request each file by itself.',
    refused: waits,
    setBy: 'the same; ten times as many',
  },
  refusedCallsOfUser: {
    what: 'Refused calls, over HTTP and links together, and failed sign-ins with a session of the user',
    per: 'user',
    perSecond: 20,
    burst: 60,
    scenario: fullAuditLog,
    refused: `each further call ${waits}, or Throttled over a link`,
  },
  refusedCallsOfDevice: {
    what: 'Refused calls and commands that the audit log records, over all links',
    per: 'device',
    perSecond: 2,
    burst: 10,
    scenario: `${fullAuditLog} On thousands of devices it does so at once.`,
    refused: 'each further call waits up to 5 s, then Throttled',
  },
  requestsAhead: {
    what: 'Requests sent ahead on one connection',
    per: 'connection',
    ofCaller: 16,
    waiting: 0,
    scenario: 'A thousand small requests in one packet hold up the event loop for everybody.',
    refused: 'disconnected',
  },
  commandsOfDevices: {
    what: 'Commands of devices',
    group: 'the devices of a project',
    inAll: 6,
    ofCaller: 4,
    ofGroup: 5,
    waiting: 4_000,
    scenario: 'Commands that wait for the same rows take all connections to the database.',
    refused: throttled('Too many of your commands are waiting. Try again in 5 seconds.'),
  },
  commandsOfUsers: {
    what: 'Commands of users',
    per: 'user with all sessions and tokens',
    inAll: 10,
    ofCaller: 8,
    waitingOfCaller: 1_000,
    scenario: 'The same.',
    refused: throttled('Too many of your commands are waiting. Try again in 5 seconds.'),
  },
  queriesOfUser: {
    what: 'Queries of a user without a filter or a search text',
    per: 'user with all sessions and tokens',
    ofCaller: 16,
    waitingOfCaller: 1_000,
    scenario: 'Somebody with hundreds of slow queries holds up those of all others.',
    refused: throttled('Too many of your queries are waiting. Try again in 5 seconds.'),
  },
  queriesOfDevice: {
    what: 'Queries of a device',
    per: 'device',
    ofCaller: 8,
    waitingOfCaller: 1_000,
    scenario: 'The same.',
    refused: throttled('Too many of your queries are waiting. Try again in 5 seconds.'),
  },
  searches: {
    what: 'Queries with a filter or a search text; a statement of one may take 5 s',
    per: 'user or project with its devices',
    group: 'all devices',
    inAll: 6,
    ofCaller: 2,
    ofGroup: 3,
    waiting: 128,
    waitingOfCaller: 64,
    scenario: 'Searches read whole tables, and many take all connections to the database.',
    refused: throttled('Too many searches are running. Try again in a moment.'),
  },
  uploads: {
    what: 'Uploads',
    per: network,
    inAll: 256,
    ofCaller: 128,
    waiting: 0,
    scenario: 'One client holds as many transfers open as the hub has descriptors and memory for.',
    refused: '429 with Retry-After, or 503 if there are too many in all',
  },
  downloads: {
    what: 'Downloads',
    per: network,
    inAll: 2_048,
    ofCaller: 512,
    waiting: 0,
    scenario: 'The same.',
    refused: 'as for uploads',
  },
  publicFiles: {
    what: 'Of these, those of public files',
    per: network,
    inAll: 1_536,
    ofCaller: 512,
    waiting: 0,
    scenario: 'A file that becomes popular keeps a fleet from its updates.',
    refused: 'as for uploads',
  },
  checkedDownloads: {
    what: 'Downloads that are checked against their digests while they are sent',
    inAll: 256,
    waiting: 0,
    scenario: 'Each takes 2 MiB of memory.',
    refused: 'sent unchecked',
  },
  verifications: {
    what: 'Uploads to object stores that are read to verify them',
    inAll: 4,
    ofCaller: 1,
    waiting: 256,
    scenario: 'One upload of 64 GiB after the other keeps the hub from verifying those of others.',
    refused: {
      kind: 'NotReady',
      sentence: 'Too many uploads are being verified; try again in a moment.',
      retryAfterSecs: 5,
    },
  },
  storeProbes: {
    what: 'Object stores that are being tried',
    inAll: 4,
    waiting: 16,
    scenario: 'Settings of stores that do not answer hold the connections of the hub.',
    refused: 'told to try again in a minute',
  },
  fileReads: {
    what: 'Reads of files of assets',
    inAll: 4,
    scenario: 'Passwords are checked on the same threads, behind the reads of thousands of downloads.',
    refused: 'waits',
  },
  streamsOfDevice: {
    what: 'Requests to the web server of one device',
    per: 'device',
    ofCaller: 48,
    waitingOfCaller: 256,
    maxWaitMs: 15_000,
    scenario:
      'A page with hundreds of pictures leaves no channel for the command line and the device itself.',
    refused: '503',
  },
  signInTurns: {
    what: 'Checks of passwords at sign-in',
    per: 'account',
    group: `one ${network}`,
    inAll: passwordThreads,
    ofCaller: 1,
    ofGroup: Math.max(1, passwordThreads - 1),
    waiting: 256,
    waitingOfCaller: 16,
    scenario: 'Whoever knows one password has it checked on all threads, and nobody else signs in.',
    refused: throttled('Too many sign-ins to this account or from this address. Try again in a moment.', 2),
  },
  passwordChecks: {
    what: 'Checks of passwords',
    inAll: passwordThreads,
    waiting: 64,
    scenario: 'Each takes 19 MiB and a thread, and files are read on the same threads.',
    refused: throttled('The hub is busy checking passwords. Try again in a moment.', 2),
  },
  newPasswords: {
    what: 'New passwords that are being hashed',
    inAll: 1,
    waiting: 32,
    scenario: 'Sign-ups in a burst keep people from signing in.',
    refused: throttled('The hub is busy checking passwords. Try again in a moment.', 2),
  },
  visitorRequestsOfNetwork: within(each, network, hourAndDay, robots),
  visitorRequests: within(each, 'instance', [times(60, minute)], robots),
  mailsToAddress: within('E-mails to an address without an account', 'address', hourAndDay, mailBombs),
  passwordLinks: within('E-mails with a link to set a password', 'user', hourAndDay, mailBombs),
  testMails: within('Test e-mails', 'administrator', [times(10, 10 * minute)], mailBombs),
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
  loginsOfNetwork: within('Sign-ins of command lines', network, [times(30, 10 * minute)], robots),
  logins: within('The same', 'instance', [times(300, minute)], robots),
  wrongCodes: within(
    'Wrong codes of command lines',
    'user',
    [times(5, 10 * minute)],
    'Short codes are guessed.',
  ),
  signIns: within('Successful sign-ins', 'account', [times(60, hour)], fullAuditLog),
  failedSignInsToAccount: within(
    'Failed sign-ins to an account, then 30 s',
    'account',
    [times(100, day)],
    'A botnet guesses at a password.',
  ),
  failedSignInsOfPair: within(
    'The same from one network, then 30 s, doubled up to 15 min',
    `account and ${network}`,
    [times(5, day)],
    'Somebody guesses at a password.',
  ),
  failedSignInsOfNetwork: within(
    'Failed sign-ins to any account',
    network,
    [times(30, minute)],
    'Somebody guesses at many accounts.',
  ),
  failedSignIns: within('The same', 'instance', [times(1_000, minute)], 'A botnet guesses at many accounts.'),
  refusalsInAuditLog: within(
    'Rows of refused anonymous calls, and one with their number',
    network,
    [times(1, minute)],
    fullAuditLog,
  ),
  auditedRows: {
    ...within('Rows of commands in the audit log', 'user', [times(100_000, hour)], fullAuditLog),
    setBy: 'settings of the instance',
  },
} as const satisfies Record<string, Limit>;
