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
  days: (values: string) => `The last days: ${values}`,
  day: (day: string, value: string) => `${day}: ${value}`,
});
