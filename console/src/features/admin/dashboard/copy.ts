import { catalogue } from '../../../copy/catalogue.ts';

/** The texts of the dashboard of the administration. */
export const dashboardCopy = catalogue('dashboard', {
  text: 'What this instance has, as of now.',
  devices: 'Devices',
  projects: 'Projects',
  users: 'Users',
  nodes: 'Cluster nodes',
});
