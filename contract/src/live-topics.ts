/** The kinds of data that may change while a page shows them. An event names the topics that it makes stale, a query the topics that it reads. */
export const liveTopics = [
  'projects',
  'devices',
  'certificates',
  'connections',
  'events',
  'properties',
  'members',
  'invitations',
  'tokens',
  'sessions',
  'users',
  'log',
  'cluster',
  'jobs',
  'repositories',
  'packages',
  'publishers',
  'assets',
  'settings',
  'views',
  'operations',
  'changes',
  'webhooks',
  'alerts',
  'otlp',
  'terminals',
] as const;

/** See `liveTopics`. */
export type LiveTopic = (typeof liveTopics)[number];

/** One message of the live view: what changed, and where. */
export interface LiveChange {
  readonly topic: LiveTopic;
  readonly projectId?: string;
  readonly deviceId?: string;
  readonly userId?: string;
  readonly repositoryId?: string;
}
