import { catalogue } from '../../copy/catalogue.ts';
import { count, countOrMore } from '../../copy/count.ts';
import type { EnrolledDevices } from './deployment-token.ts';

const devicesWere = ({ counted, hasMore }: EnrolledDevices): string =>
  hasMore
    ? `More than ${counted.toLocaleString('en')} devices were`
    : count(counted, 'device was', 'devices were');

/** The texts of the deployment tokens of a project. */
export const tokensCopy = catalogue('tokens', {
  summary: (n: number) => `${count(n, 'deployment token', 'deployment tokens')}`,
  filter: 'Filter tokens',
  csvName: 'tokens',
  text: 'A deployment token enrols devices in this project.',
  risk: 'With Auto Accept, every new device that knows the token is let in without asking you. Switch it off once your devices are enrolled.',
  nameHint: 'What it is for, such as a site or a batch of devices. It is made with Auto Accept on.',
  created: 'Deployment token created',
  secret: 'deployment token',
  secretUse: 'Run this on each device:',
  command: 'agent command',
  columns: {
    createdAt: 'Created At',
    id: 'Token Id',
    autoAccept: 'Auto Accept',
    lastUsed: 'Last Used',
    devices: 'Devices',
  },
  enrolled: ({ counted, hasMore }: EnrolledDevices) => countOrMore(counted, hasMore),
  autoAcceptOf: (name: string) => `Auto Accept of ${name}`,
  on: (name: string) => `“${name}” lets new devices in by itself`,
  off: (name: string) => `“${name}” asks you about new devices`,
  notSwitched: 'Auto Accept was not changed',
  deleteTitle: (name: string) => `Delete token “${name}”`,
  deleteText: (devices: EnrolledDevices) =>
    devices.counted === 0
      ? 'Connections made with this token are cut at once, and no device can use it again. This cannot be undone.'
      : `${devicesWere(devices)} enrolled with this token. Their connections are cut at once, and they need another token to come back. This cannot be undone.`,
  deleted: (name: string) => `Token “${name}” was deleted`,
  bulk: {
    on: 'Auto Accept on',
    off: 'Auto Accept off',
    onTitle: (n: number) => `Switch Auto Accept on for ${count(n, 'token', 'tokens')}`,
    offTitle: (n: number) => `Switch Auto Accept off for ${count(n, 'token', 'tokens')}`,
    offText: 'New devices that use these tokens wait until you accept their certificates.',
    onText: 'Every new device that knows one of these tokens is let in without asking you.',
    switchOn: 'Switch on',
    switchOff: 'Switch off',
    isOn: (n: number) => `Auto Accept is on for ${count(n, 'token', 'tokens')}`,
    isOff: (n: number) => `Auto Accept is off for ${count(n, 'token', 'tokens')}`,
    allOn: 'Auto Accept is on for all of these',
    allOff: 'Auto Accept is off for all of these',
    notUndone: (n: number) => `Auto Accept of ${count(n, 'token', 'tokens')} was not switched back`,
    deleteTitle: (n: number) => `Delete ${count(n, 'token', 'tokens')}`,
    deleteText: (devices: EnrolledDevices) =>
      devices.counted === 0
        ? 'Connections made with these tokens are cut at once, and no device can use them again. This cannot be undone.'
        : `${devicesWere(devices)} enrolled with these tokens. Their connections are cut at once, and they need another token to come back. This cannot be undone.`,
    deleted: (n: number) => `${count(n, 'token was', 'tokens were')} deleted`,
  },
  emptyTitle: 'No deployment tokens',
  emptyText: 'Create one to let devices into this project.',
});
