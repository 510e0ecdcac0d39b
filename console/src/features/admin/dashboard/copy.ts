import { catalogue } from '../../../copy/catalogue.ts';
import { count } from '../../../copy/count.ts';

function versionsText([version, ...others]: readonly string[]): string | undefined {
  if (version === undefined) return undefined;
  return others.length === 0 ? `version ${version}` : `${others.length + 1} versions`;
}

/** The texts of the dashboard of the administration. */
export const dashboardCopy = catalogue('dashboard', {
  text: 'The current counts of this instance. The lines show the last seven days, as far as they were recorded.',
  devices: 'Devices',
  projects: 'Projects',
  users: 'Users',
  nodes: 'Cluster nodes',
  connected: (n: string) => `${n} connected`,
  mostConnected: (most: string) => `at most ${most} connected`,
  nodesNote: (connections: number, versions: readonly string[]) =>
    [count(connections, 'connection', 'connections'), versionsText(versions)].filter(Boolean).join(' · '),
  damagedTitle: (n: number) =>
    `${n.toLocaleString('en')} ${n === 1 ? 'asset is' : 'assets are'} missing or damaged in the store`,
  damagedText: 'Downloads of them are refused. Upload the same files again to heal them:',
  damagedOf: (name: string, n: string) => `${name} (${n})`,
  days: (values: string) => `The last days: ${values}`,
  day: (day: string, value: string) => `${day}: ${value}`,
});
