import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

const devices = (n: number) => count(n, 'device', 'devices');

/** The texts of the overview of a project. */
export const overviewCopy = catalogue('overview', {
  of: 'of',
  connectedNow: 'connected',
  silent: 'offline longer than an hour',
  states: {
    connected: 'Connected',
    disconnected: 'Disconnected',
    waiting: 'Waiting for a certificate',
  },
  field: (n: number, connected: number, groups: number, by: string) =>
    `${connected.toLocaleString('en')} of ${devices(n)} connected` +
    (by === '' ? '' : `, in ${count(groups, 'group', 'groups')} by ${by}`),
  allDevices: 'All devices',
  group: (name: string, n: number, connected: number, waiting: number) =>
    `${name}: ${connected.toLocaleString('en')} of ${n.toLocaleString('en')} connected` +
    (waiting > 0 ? `, ${waiting.toLocaleString('en')} waiting for a certificate` : ''),
  fieldTitle: 'Devices',
  without: (label: string) => `No ${label}`,
  others: 'Others',
  oneDot: (n: number) => (n === 1 ? 'One dot is one device' : `One dot is ${n.toLocaleString('en')} devices`),
  notOpened: 'The device was not opened',
  groupBy: 'Group by',
  groupedBy: (label: string) => `Grouped by ${label}`,
  noGrouping: 'No grouping',
  connected: 'Connected',
  between: 'between',
  and: 'and',
  chart: (range: string, low: number, high: number, now: number) =>
    `Connected devices in ${range}: between ${low.toLocaleString('en')} and ${high.toLocaleString('en')}, now ${now.toLocaleString('en')}`,
  chartNothing: 'The line begins once the hub has recorded its first minutes.',
  stepConnected: (n: number) => `${n.toLocaleString('en')} connected`,
  versions: 'Versions on devices',
  reporting: (n: number, all: number) => `${n.toLocaleString('en')} of ${all.toLocaleString('en')} report it`,
  otherVersions: 'others',
  versionsChart: (field: string, range: string) => `Devices by ${field} in ${range}`,
  emptyTitle: 'No devices yet',
  emptyText: 'Connect the first device with one command. Its state, its history and its versions show here.',
});
