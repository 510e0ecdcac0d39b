import { catalogue } from '../copy/catalogue.ts';

/** The titles of the documents, by their addresses below /docs, in the order in which they are listed. The first one has none. */
export const documentTitles = catalogue('documents', {
  '': 'First steps',
  agent: 'The agent',
  cli: 'The command line',
  fleet: 'How a fleet is',
  filters: 'Filters',
  expressions: 'Expressions',
  'software-repositories': 'Software repositories',
  'http-proxy': 'Web pages of devices',
  'audit-log': 'The audit log',
  operations: 'Overview',
  configuration: 'Settings',
  administration: 'Administration',
  'reverse-proxy': 'Behind nginx',
  'operations/haproxy': 'Behind HAProxy',
  'operations/systemd': 'As a service',
  'operations/containers': 'In containers',
  cluster: 'Several hubs',
  'operations/backup': 'Backup and restore',
  'operations/upgrade': 'Upgrades',
  'operations/disk': 'Disk',
  'operations/sizing': 'Sizing',
  'operations/monitoring': 'Monitoring',
  metrics: 'Metrics',
  security: 'Security',
});
