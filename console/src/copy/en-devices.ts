import { count } from './count.ts';

/** Texts of the list of devices. */
export const enDevices = {
  title: 'Devices',
  unnamed: 'unnamed',
  idWhat: 'device ID',
  summary: (connected: number, total: number) => `${connected} of ${total} connected`,
  waiting: (n: number) => `${count(n, 'certificate', 'certificates')} waiting`,
  connect: 'Connect a device',
  connectShort: 'Connect',
  csvName: 'devices',
  columns: {
    name: 'Name',
    id: 'Id',
    firstSeen: 'First Seen',
    status: 'Status',
    pending: 'Pending Certificates',
    actions: 'Actions',
  },
  pendingWord: 'pending',
  view: 'View',
  filter: 'Filter by name or ID',
  filters: 'Show',
  all: 'All',
  connected: 'Connected',
  disconnected: 'Disconnected',
  pending: 'Pending',
  newDevices: (n: number) => count(n, 'new device', 'new devices'),
  copyId: 'Copy ID',
  rename: 'Rename',
  renameTitle: (name: string) => `Rename ${name}`,
  name: 'Name',
  nameHint: 'Leave empty to remove the name.',
  save: 'Save',
  renamed: (name: string) => (name.trim() === '' ? 'The name was taken away' : `Renamed to ${name.trim()}`),
  notRenamed: 'The device was not renamed',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete device ${name}`,
  deleteText: 'This deletes the device with all its data and cannot be undone.',
  deleted: (name: string) => `Device ${name} was deleted`,
  review: (n: number) => `Review ${n} pending`,
  reviewTitle: 'Pending certificates',
  reviewText:
    'Each of these devices presents a certificate that nobody has accepted yet. Compare its fingerprint with what the device itself prints.',
  reviewCommand: 'On the device:',
  reviewSelect: (name: string) => `Accept the certificate of ${name}`,
  reviewAccept: (n: number) => `Accept ${count(n, 'certificate', 'certificates')}`,
  reviewProgress: 'Accepting certificates',
  reviewDone: 'accepted',
  reviewNone: 'No certificate is waiting any more.',
  reviewLoading: 'Loading certificates...',
  reviewResult: (n: number) => `${count(n, 'certificate was', 'certificates were')} accepted`,
  reviewFailed: (n: number) => `${count(n, 'certificate was', 'certificates were')} not accepted`,
} as const;

/** Texts of connecting a device: the token, the command, waiting, and troubleshooting. */
export const enOnboarding = {
  title: 'Connect a device',
  emptyTitle: 'Connect your first device',
  emptyText:
    'Make a token, paste one command on the device, and see it connect here. It takes Node.js 20 on the device and a way to this hub.',
  dialogText: 'Make a token, then paste one command on the device.',
  steps: { token: 'Make a token', command: 'Run this on the device', wait: 'See it connect' },
  tokenName: 'Token name',
  tokenNameHint: 'So that you find it again under Tokens. Devices that use it are let in by themselves.',
  defaultName: (day: string) => `Devices of ${day}`,
  make: 'Make token',
  command: 'agent command',
  once: 'The token in this command is shown only now. Whoever has it can enrol devices in this project.',
  plain: 'This hub speaks plain http: the token and all that the device sends can be read along the way.',
  waiting: 'Waiting for a device…',
  connected: (name: string) => `Connected: ${name}`,
  view: 'View device',
  another: 'Make another token',
  done: 'Done',
  pendingTitle: (name: string) => `${name} asks to be let in`,
  pendingText:
    'Its certificate is not accepted yet. Compare this fingerprint with what the device prints, then accept it. The device comes back by itself within a minute.',
  accept: 'Accept certificate',
  accepted: 'Accepted. Waiting for the device to come back…',
  fingerprintCommand: 'On the device:',
  silence: 'Nothing yet. What to check:',
  checks: {
    address: (origin: string) =>
      `The hub’s address: can the device open ${origin}? On the device, localhost and 127.0.0.1 are the device itself.`,
    plain:
      'Plain http: the agent speaks it to another machine only with --allow-plain-http. If the hub has an https address, open this page there and take the command from it.',
    https:
      'https: the device must trust the hub’s certificate and have the right time. Give a private authority by NODE_EXTRA_CA_CERTS.',
    tokenUnused: 'The token: it has not been used yet. Was all of the command pasted?',
    tokenUsed: 'The token: it has been used, so the device reaches the hub. Look for it in the list.',
    log: 'The agent’s log: it says in one sentence why it cannot connect.',
  },
} as const;

/** Texts about the fingerprint of a certificate. */
export const enFingerprint = {
  what: 'certificate fingerprint',
  command: 'corral-agent certificate fingerprint',
  commandWhat: 'fingerprint command',
} as const;
