/** What may change while a page shows it. An event says which topics it makes stale, a query which topics it reads. */
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
  'repositories',
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
