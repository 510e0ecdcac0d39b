import { catalogue } from '../../copy/catalogue.ts';
import { count } from '../../copy/count.ts';

/** The texts of the list of projects. */
export const projectsCopy = catalogue('projects', {
  summary: (projects: number, devices: number) =>
    `${count(projects, 'project', 'projects')}, ${count(devices, 'device', 'devices')}`,
  createText: 'A project holds devices, their deployment tokens and the people who look after them.',
  sort: 'Sort',
  byTrouble: 'Trouble first',
  byName: 'By name',
  devices: (n: number) => count(n, 'device', 'devices'),
  connected: (connected: number, total: number) =>
    connected === total
      ? `all ${count(total, 'device', 'devices')} connected`
      : `${connected.toLocaleString('en')} of ${count(total, 'device', 'devices')} connected`,
  allOne: '1 device, connected',
  day: (low: number, high: number) =>
    low === high
      ? `${low.toLocaleString('en')} connected all day`
      : `${low.toLocaleString('en')} to ${high.toLocaleString('en')} connected, 24 h`,
  connectedThen: (n: number | undefined) =>
    n === undefined ? 'unknown' : `${n.toLocaleString('en')} connected`,
  pending: 'pending',
  emptyTitle: 'Create your first project',
  emptyText:
    'A project holds your devices. Create one, then paste one command on a device and see it connect here.',
  noDevices: 'No devices yet',
  pin: (name: string) => `Pin ${name}`,
});
