import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

const of = (filter: string | undefined) => (filter === undefined ? '' : ` that matches ${filter}`);

/** The words for what alert rules look for, and whom they tell. */
export const conditionCopy = catalogue('alertCondition', {
  lasting: (time: string) => ` for ${time}`,
  offline: (filter: string | undefined, lasting: string) => `A device${of(filter)} is offline${lasting}`,
  missing: (percent: number, filter: string | undefined, lasting: string) =>
    `${percent} % of the devices${filter === undefined ? '' : ` that match ${filter}`} are offline${lasting}`,
  matching: (filter: string, lasting: string) => `A device matches ${filter}${lasting}`,
  events: (severity: string, filter: string | undefined) =>
    severity === 'Critical'
      ? `A device${of(filter)} sends a Critical event`
      : `A device${of(filter)} sends an event of ${severity} or above`,
  operations: (percent: number) => `An operation is paused by failures, or ${percent} % of its devices fail`,
  quota: (percent: number) => `${percent} % of a quota is used up`,
  hub: (percent: number) => `A disk is ${percent} % full, a job or e-mails fail, or a node is away`,
  mails: { Owners: 'owners', Members: 'all members' },
  administrators: 'administrators',
  people: (n: number) => count(n, 'person', 'people'),
  webhooks: (n: number) => count(n, 'webhook', 'webhooks'),
  nobody: 'nobody',
  names: {
    offlineNow: 'Devices offline',
    offline: (time: string) => `Devices offline for ${time}`,
    missing: (percent: number) => `${percent} % of the devices away`,
    matching: (filter: string) => `Devices that match ${filter}`,
    filters: {
      'cert:pending': 'Certificates wait',
      'certAge>300d': 'Old certificates',
      'status:error': 'Devices report an error',
      flapping: 'Connections come and go',
      silent: 'Devices silent for longer than usual',
    },
    events: (severity: string) => `${severity} events`,
    operations: 'Operations fail',
    quota: (percent: number) => `${percent} % of a quota used`,
    hub: 'The hub itself',
  },
});
