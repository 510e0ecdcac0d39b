import { catalogue } from '../../../copy/catalogue.ts';
import { count } from '../../../copy/count.ts';

const times = (n: number) => {
  if (n === 1) return 'once';
  return n === 2 ? 'twice' : `${n.toLocaleString('en')} times`;
};

/** The texts of the dashboard of the administration. */
export const dashboardCopy = catalogue('dashboard', {
  of: 'of',
  connectedThrough: (devices: number) => `${devices === 1 ? 'device' : 'devices'} connected through`,
  nodesOf: (n: number) => (n === 1 ? 'node' : 'nodes'),
  needs: (n: number) => `${n === 1 ? 'thing needs' : 'things need'} an administrator`,
  devices: 'Devices',
  projects: 'Projects',
  users: 'Users',
  nodes: 'Cluster nodes',
  now: 'now',
  week: 'in 7 days',
  since: (day: string) => `since ${day}`,
  noChange: 'no change',
  change: (by: number, when: string) => `${by > 0 ? '+' : '−'}${Math.abs(by).toLocaleString('en')} ${when}`,
  line: (what: string, low: number, high: number, when: string) =>
    `${what} ${when}: between ${low.toLocaleString('en')} and ${high.toLocaleString('en')}`,
  connected: 'Connected devices',
  between: (low: number, high: number) =>
    `between ${low.toLocaleString('en')} and ${high.toLocaleString('en')} in 7 days`,
  connectedLine: (low: number, high: number, now: number) =>
    `Connected devices of the last 7 days: between ${low.toLocaleString('en')} and ${high.toLocaleString('en')}, now ${now.toLocaleString('en')}`,
  connectedAt: (n: number | undefined) =>
    n === undefined ? 'no record' : `${n.toLocaleString('en')} connected`,
  away: (from: string, to: string) => `the hub was away ${from}–${to}`,
  nodesChart: 'Connections of the last 7 days by node',
  nodeAt: (name: string, n: number | null | undefined) =>
    `${name}: ${typeof n === 'number' ? n.toLocaleString('en') : 'no record'}`,
  otherNodes: 'other nodes',
  sevenDays: '7 days',
  needsTitle: 'Needs an administrator',
  nothing: 'Nothing needs an administrator',
  mails: (n: number) => count(n, 'e-mail', 'e-mails'),
  mailsText: 'could not be sent',
  people: (n: number) => count(n, 'person', 'people'),
  peopleText: (n: number) => (n === 1 ? 'waits to be let in' : 'wait to be let in'),
  oldest: (when: string) => `the oldest ${when}`,
  failed: (n: number) => `failed ${times(n)}`,
  damaged: (n: number) => count(n, 'asset', 'assets'),
  damagedText: (n: number) =>
    `${n === 1 ? 'is' : 'are'} missing or damaged in the store. Upload the same files again to heal them:`,
  damagedOf: (name: string, n: number) => `${name} (${n.toLocaleString('en')})`,
  log: 'The audit log',
  logText: 'does not match its seals',
  show: 'Show',
  showOf: (what: string) => `Show: ${what}`,
  review: 'Review',
  reviewOf: (what: string) => `Review: ${what}`,
  connections: (n: number) => (n === 1 ? 'connection' : 'connections'),
  nodeLine: (name: string, low: number, high: number) =>
    `Connections of ${name} in 7 days: between ${low.toLocaleString('en')} and ${high.toLocaleString('en')}`,
  up: 'up',
  unnamed: 'Unnamed node',
  allNodes: (n: number) => `All ${n.toLocaleString('en')} nodes`,
  load: 'Load',
  loadOf: (load: string, cores: number) => `${load} of ${count(cores, 'core', 'cores')}`,
  memory: 'Memory',
  memoryOf: (used: string, whole: string) => `${used} of ${whole}`,
  version: 'Version',
  failures: 'Jobs that failed',
  failuresText: (n: number) => `${n.toLocaleString('en')} in 24 hours`,
  times,
  noError: 'without a message',
  waitingMail: 'Waiting mail',
  noServer: 'no mail server is set',
  mailKinds: {
    Activation: 'activates an account',
    AddressTaken: 'says that an account exists',
    IdentityLinked: 'tells of a new way to sign in',
    IdentityUnlinked: 'tells of a removed way to sign in',
    FactorAdded: 'tells of a new second factor',
    FactorRemoved: 'tells of a removed second factor',
    FactorLocked: 'tells of a locked authenticator',
    RecoveryCodeUsed: 'tells of a used recovery code',
    RecoveryCodesRenewed: 'tells of new recovery codes',
    WebhookDisabled: 'tells of a webhook that sends nothing any more',
    RecordingWaived: 'tells of a terminal without a recording',
    Alert: 'tells of alerts',
    Invitation: 'invites somebody',
    PasswordChanged: 'tells of a new password',
    PasswordLink: 'sets a password',
    TokenCreated: 'tells of a new token',
    TokenExpiring: 'tells of a token that ends',
  },
  moreMails: (n: number) => `${n.toLocaleString('en')} more`,
  storage: 'Storage',
  stored: {
    assets: 'Assets',
    events: 'Events',
    auditLog: 'Audit log',
    otherRows: 'Other data',
  },
  grew: (when: string) => `Assets ${when}`,
  more: (size: string) => `grew by ${size}`,
  less: (size: string) => `shrank by ${size}`,
});
