import { catalogue } from '../../copy/catalogue.ts';
import { count, countOrMore } from '../../copy/count.ts';
import type { EnrolledDevices } from './deployment-token.ts';

const word = (on: boolean): string => (on ? 'on' : 'off');
const tokens = (n: number): string => count(n, 'token', 'tokens');
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
  secret: {
    title: 'Deployment token created',
    what: 'deployment token',
    use: 'Run this on each device:',
    commandWhat: 'agent command',
  },
  goodFor: 'Enrols devices',
  goodForHint: 'Devices that it has enrolled stay, and go on connecting with it.',
  days: (n: number) => (n === 0 ? 'Until it is deleted' : `For ${count(n, 'day', 'days')}`),
  maxUses: 'How many devices',
  anyNumber: 'Any number',
  invalidUses: 'Enter a number from 1 to 9,999,999, or nothing.',
  ends: 'ends',
  expired: 'Expired',
  usedUp: 'Used up',
  bound: 'Of one paired device',
  left: (n: number) => `${count(n, 'more device', 'more devices')}`,
  createdAt: 'Created At',
  id: 'Token Id',
  autoAccept: 'Auto Accept',
  lastUsed: 'Last Used',
  devices: 'Devices',
  enrolled: ({ counted, hasMore }: EnrolledDevices) => countOrMore(counted, hasMore),
  autoAcceptOf: (name: string) => `Auto Accept of ${name}`,
  on: (name: string) => `“${name}” lets new devices in by itself`,
  off: (name: string) => `“${name}” asks you about new devices`,
  notSwitched: 'Auto Accept was not changed',
  deleteText: (devices: EnrolledDevices, n: number) => {
    const [these, them] = n === 1 ? ['this token', 'it'] : ['these tokens', 'them'];
    return devices.counted === 0
      ? `Connections made with ${these} are cut at once, and no device can use ${them} again. This cannot be undone.`
      : `${devicesWere(devices)} enrolled with ${these}. Their connections are cut at once, and they need another token to come back. This cannot be undone.`;
  },
  bulk: {
    label: (on: boolean) => `Auto Accept ${word(on)}`,
    title: (n: number, on: boolean) => `Switch Auto Accept ${word(on)} for ${tokens(n)}`,
    onText: 'Every new device that knows one of these tokens is let in without asking you.',
    offText: 'New devices that use these tokens wait until you accept their certificates.',
    verb: (on: boolean) => `Switch ${word(on)}`,
    done: (n: number, on: boolean) => `Auto Accept is ${word(on)} for ${tokens(n)}`,
    all: (on: boolean) => `Auto Accept is ${word(on)} for all of these`,
    notUndone: (n: number) => `Auto Accept of ${tokens(n)} was not switched back`,
  },
  emptyTitle: 'No deployment tokens',
  emptyText: 'Create one to let devices into this project.',
});
