import {
  deviceQuotas,
  maxOpenPairingKeys,
  maxPendingInvitations,
  maxPublishers,
  maxSavedViews,
  userQuotas,
} from '@corral/contract';

export interface Amount {
  /** What is kept, and of whom. */
  readonly what: string;
  readonly max: number;
  /** What happens beyond it. */
  readonly beyond: string;
  readonly setBy?: string;
}

const refused = 'a further one is refused';
const bySettings = 'settings of the instance';
const mebibytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`;

/** How much is kept, of all nodes together: whoever keeps more makes the database and the lists of all others slow. */
export const amounts = {
  userTokens: { what: 'Tokens of one user', max: 500, beyond: refused },
  sessions: {
    what: 'Live sessions of one user',
    max: 100,
    beyond: 'a new one ends the one that was used longest ago',
  },
  pendingSignIns: {
    what: 'Sign-ins of one account that wait for a second factor, for ten minutes each',
    max: 20,
    beyond: 'the oldest ends',
  },
  wrongCodes: {
    what: 'Wrong codes of an authenticator in a row, from wherever they come; also those of one sign-in',
    max: 10,
    beyond: 'it is locked until a recovery code is used',
  },
  passkeys: { what: 'Passkeys of one user', max: 30, beyond: refused },
  identities: { what: 'Identities at providers that are linked to one user', max: 10, beyond: refused },
  owned: {
    what: 'Projects and repositories that one user owns',
    max: userQuotas.ownedPerUser,
    beyond: 'who owns more keeps them',
    setBy: bySettings,
  },
  savedViews: { what: 'Saved views of a user in a project', max: maxSavedViews, beyond: refused },
  unfinishedUploads: {
    what: 'Unfinished uploads in parts of one user',
    max: 256,
    beyond: 'another gets 429; a whole file may still come in one `PUT`',
  },
  serviceAccounts: { what: 'Service accounts of a project or repository', max: 100, beyond: refused },
  webhooks: { what: 'Webhooks of a project', max: 50, beyond: refused },
  alertRules: { what: 'Alert rules of a project, and of the instance', max: 50, beyond: refused },
  alertMutes: {
    what: 'What is muted in a project, and in the instance',
    max: 100,
    beyond: refused,
  },
  mailedByAlert: {
    what: 'People to whom one message of an alert rule is mailed',
    max: 500,
    beyond: 'others get none',
  },
  waitingAlertMails: {
    what: 'E-mails of one alert rule to one person that wait',
    max: 20,
    beyond: 'further ones are not sent; the list of alerts has what they say',
  },
  waitingMessages: {
    what: 'Messages of one webhook that wait',
    max: 10_000,
    beyond: 'the oldest are not sent, as the list of its deliveries says',
  },
  waitingRecords: {
    what: 'Bytes of one stream of a project that wait to be exported over OTLP, for a day',
    max: 1024 ** 3,
    beyond: 'the oldest are dropped, as the status of the export says',
  },
  terminals: { what: 'Terminals of a device that are open or wait', max: 4, beyond: refused },
  terminalIdle: { what: 'Minutes without input to a terminal', max: 15, beyond: 'it ends' },
  terminalHours: { what: 'Hours of a terminal', max: 8, beyond: 'it ends' },
  terminalApproval: {
    what: 'Minutes that a terminal waits for an approval, and once approved to be entered',
    max: 15,
    beyond: 'it ends',
  },
  terminalReattach: {
    what: 'Seconds that a terminal stays without anybody in it',
    max: 60,
    beyond: 'it ends',
  },
  terminalTicket: {
    what: 'Seconds that a ticket of a terminal is valid',
    max: 30,
    beyond: 'it enters no more',
  },
  terminalWatch: {
    what: 'Seconds without a sign of a second person who has to watch',
    max: 10,
    beyond: 'what is typed waits',
  },
  terminalUnwatched: { what: 'Minutes without that second person', max: 5, beyond: 'the terminal ends' },
  terminalUnrecorded: {
    what: 'Seconds that a terminal waits whose output cannot be recorded, where that is required; with an owner in it, who may let it go on, six times as many',
    max: 10,
    beyond: 'it ends',
  },
  terminalUndrawn: {
    what: 'Bytes of output that a tab or command line in a terminal has not drawn',
    max: 512 * 1024,
    beyond: 'the device waits; a watcher with twice as many leaves',
  },
  terminalInput: {
    what: 'Bytes typed into a terminal that wait for its device',
    max: 256 * 1024,
    beyond: 'whoever types waits',
  },
  terminalReplay: {
    what: 'Bytes of output that a terminal shows to those who enter later',
    max: 256 * 1024,
    beyond: 'the oldest go',
  },
  terminalPeople: {
    what: 'Tabs and command lines in one terminal',
    max: 16,
    beyond: refused,
  },
  recordedTerminal: {
    what: 'Bytes of the recording of one terminal',
    max: 64 * 1024 ** 2,
    beyond: 'a gap is marked; where a recording is required, the terminal ends',
  },
  recordedTerminals: {
    what: 'Bytes of the recordings of a project, compressed, of 90 days',
    max: 10 * 1024 ** 3,
    beyond: 'as above',
  },
  certificateAuthorities: { what: 'Certificate authorities of a project', max: 3, beyond: refused },
  endedTerminals: {
    what: 'Days that a terminal is kept with its recording after its end',
    max: 90,
    beyond: 'both are deleted',
  },
  recordingUrls: {
    what: 'Seconds that the address of a recording is valid',
    max: 300,
    beyond: 'it gives nothing; another one can be issued',
  },
  deploymentTokens: {
    what: 'Deployment tokens of a project that are bound to no device',
    max: 1_000,
    beyond: refused,
  },
  tokensOfDevice: { what: 'Deployment tokens bound to one device', max: 3, beyond: 'the oldest goes' },
  openPairingKeys: { what: 'Open pairing keys of a project', max: maxOpenPairingKeys, beyond: refused },
  endedPairingKeys: {
    what: 'Pairing keys of a project that were used or have ended',
    max: 100,
    beyond: 'the oldest goes',
  },
  triesOfPairingKey: { what: 'Tries of a pairing key', max: 5, beyond: 'it ends' },
  publishers: { what: 'Jobs of CIs that may publish to a repository', max: maxPublishers, beyond: refused },
  publishingRefusals: {
    what: 'Refused ID tokens that a repository shows',
    max: 10,
    beyond: 'the oldest goes; the audit log has them all',
  },
  pendingInvitations: {
    what: 'Pending invitations of a project or repository',
    max: maxPendingInvitations,
    beyond: refused,
  },
  devices: {
    what: 'Devices of a project',
    max: deviceQuotas.devicesPerProject,
    beyond: refused,
    setBy: bySettings,
  },
  draftOperations: {
    what: 'Drafts of operations of a project',
    max: 100,
    beyond: 'a new one replaces the oldest',
  },
  unfinishedOperations: {
    what: 'Operations of a project that run or are paused',
    max: 50,
    beyond: refused,
  },
  endedOperations: {
    what: 'Operations of a project that have ended',
    max: 1_000,
    beyond: 'the oldest is deleted, as are those beyond 2,000,000 devices of all together',
  },
  unfinishedChanges: {
    what: 'Changes of many devices of a project that have not ended',
    max: 10,
    beyond: refused,
  },
  endedChanges: {
    what: 'Changes of many devices of a project that have ended',
    max: 100,
    beyond: 'the oldest is deleted',
  },
  attempts: { what: 'Attempts of an operation on one device', max: 20, beyond: refused },
  enrolments: { what: 'Enrolments of a project in 10 s', max: 100, beyond: 'further ones are Throttled' },
  pendingCertificates: {
    what: 'Pending certificates of a project',
    max: 10_000,
    beyond: 'devices whose certificate is accepted at once are not held up',
  },
  indexedPaths: {
    what: 'Indexed paths of properties of a project',
    max: 40,
    beyond: 'filters by others are slower',
  },
  propertyNames: {
    what: 'Names of properties that are suggested for the filters of a project',
    // The trigger note_property_names knows it as well.
    max: 5_000,
    beyond: 'others can be used, but are not suggested',
  },
  certificates: {
    what: 'Certificates of one device',
    max: 100,
    beyond:
      'a new one replaces the oldest that was rejected or has ended, and is refused where there is none',
  },
  endedRotations: {
    what: 'Rotations of the certificate of one device that have ended',
    max: 20,
    beyond: 'the oldest goes',
  },
  proxyHosts: { what: 'Chosen host names of the pages of a device', max: 32, beyond: refused },
  connectionHistory: {
    what: 'Connections of a device in its history',
    max: 50,
    beyond: 'the oldest goes',
    setBy: `${bySettings}: for how long`,
  },
  refusedArrivals: {
    what: 'Refused connections of one device in its timeline, equal ones in a row as one',
    max: 10,
    beyond: 'the oldest goes',
  },
  properties: {
    what: 'Properties of one device',
    max: 500,
    beyond: `what is more is refused, as above ${mebibytes(deviceQuotas.devicePropertyBytes)} with its metadata; what is stored stays and may shrink`,
    setBy: bySettings,
  },
  propertyChanges: {
    what: 'Changes of properties of one device in its timeline, for 90 days',
    max: 500,
    beyond: 'the oldest goes',
  },
  deviceOperations: {
    what: 'Operations of one device by itself; those that ended go after 90 days',
    max: 200,
    beyond: 'the oldest that has ended goes; a further one is refused where none has',
  },
  events: {
    what: 'Events of one device on a day',
    max: deviceQuotas.deviceEventsPerDay,
    beyond: `what is more is refused, as above ${mebibytes(deviceQuotas.deviceEventBytesPerDay)}`,
    setBy: bySettings,
  },
} as const satisfies Record<string, Amount>;

/** How many connections there may be, and which shares of the descriptors, of all for devices and command lines, and of all for one network. */
export const connectionShares = { most: 65_536, ofDescriptors: 0.75, ofLinks: 0.875, ofNetwork: 0.5 };
