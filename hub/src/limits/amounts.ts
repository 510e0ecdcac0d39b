import { deviceQuotas, maxPendingInvitations, maxSavedViews, userQuotas } from '@corral/contract';

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
  deploymentTokens: { what: 'Deployment tokens of a project', max: 1_000, beyond: refused },
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
    beyond: 'a new one replaces the oldest that was rejected, and is refused where there is none',
  },
  proxyHosts: { what: 'Chosen host names of the pages of a device', max: 32, beyond: refused },
  connectionHistory: {
    what: 'Connections of a device in its history',
    max: 50,
    beyond: 'the oldest goes',
    setBy: `${bySettings}: for how long`,
  },
  properties: {
    what: 'Properties of one device',
    max: 500,
    beyond: `what is more is refused, as above ${mebibytes(deviceQuotas.devicePropertyBytes)} with its metadata; what is stored stays and may shrink`,
    setBy: bySettings,
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

/** What else is bounded; the numbers stand in the contract, the protocol, or beside what they bound. */
export const bounds: readonly (readonly [what: string, bound: string, setBy?: string])[] = [
  [
    'Connections in all',
    `three quarters of the descriptors that the system allows, at most ${connectionShares.most.toLocaleString('en')}, and of these seven eighths of devices and command lines; above it, the connection that was idle for longest makes room`,
    '`CORRAL_MAX_CONNECTIONS`',
  ],
  [
    'Connections from one IPv4 address or IPv6 /64',
    'half of them; those of trusted proxies are not counted',
    '`CORRAL_MAX_CONNECTIONS_PER_ADDRESS`',
  ],
  [
    'Frames other than data, and pings, on one connection of a device or command line',
    '2,000 frames and 50 pings a second, and bursts of twice as many. Above that the connection ends, as after a violation of the protocol. A rejected channel request counts as 10 frames',
  ],
  [
    'Questions of `/readyz` to the database',
    'one at a time, or a second one when it takes 2 s; all requests share the answer for a quarter of a second',
  ],
  [
    'Headers; a request without its headers; a body',
    '32 KiB, and 16 KiB for connections of devices and command lines; 10 s; 30 s',
  ],
  ['A refused client that keeps its side open', '5 s'],
  ['Input of a call', '64 KiB, where the action says nothing else; 100,000 values, 20,000 keys, 32 levels'],
  [
    'Answers above 256 KiB that are not yet taken',
    '60 MiB in all, and 48 MiB of one user or device, then 503 with Retry-After; one that takes more than 30 s to be sent is cut while others wait',
  ],
  [
    'One property of a device; its metadata; one event; the claims of its token',
    '256 KiB, and 4 MiB for the commands that it offers; 64 KiB; 64 KiB, and 1,000 events in a call; 8 KiB',
  ],
  [
    'Events whose ids are dated before last month or more than a day ahead',
    'stored with the events of the present month, so that no device chooses where its events are kept',
  ],
  [
    'Answers of an object store',
    '4 MiB, errors 64 KiB, 30 s for a request, five minutes to store or join what it was sent; the bytes of objects at 512 KiB a minute, and 8 MiB a second where they are checked for more than ten minutes ([decision 85](docs/decisions/0085-stores-are-bounded-like-clients.md))',
  ],
  ['Bytes and assets of a repository', 'none', 'settings of the instance, and for each repository'],
  ['Disk of the data folder that assets leave free', '5 % of it, at most 1 GiB', '`CORRAL_DISK_RESERVE_MIB`'],
  [
    'Free room on that disk that uploads to other repositories keep from one',
    'half of it; those that have only been announced, for 30 s',
  ],
  ['A row of the audit log', '4 KiB, texts 256 bytes'],
  [
    'The audit log',
    '24 months; what is older goes with its seals, and the rest still proves itself',
    '`CORRAL_AUDIT_RETENTION_MONTHS`',
  ],
  [
    'Refused connections, and refused properties of devices, in the log of the hub',
    '10 a minute of each kind, and their number',
  ],
];
