import { catalogue } from '../../../copy/catalogue.ts';
import { count } from '../../../copy/count.ts';

/** The texts of the dashboard of the administration. */
export const dashboardCopy = catalogue('dashboard', {
  text: 'What this instance has, as of now. The lines show the last seven days as far as they were recorded.',
  devices: 'Devices',
  projects: 'Projects',
  users: 'Users',
  nodes: 'Cluster nodes',
  connected: (n: string) => `${n} connected`,
  mostConnected: (most: string) => `at most ${most} connected`,
  connections: (n: number) => count(n, 'connection', 'connections'),
  damagedTitle: (n: number) =>
    `${n.toLocaleString('en')} ${n === 1 ? 'asset is' : 'assets are'} missing or damaged in the store`,
  damagedText: 'Downloads of them are refused. Upload the same files again to heal them:',
  damagedOf: (name: string, n: string) => `${name} (${n})`,
  days: (values: string) => `The last days: ${values}`,
  day: (day: string, value: string) => `${day}: ${value}`,
});
