import { forwardAcrossHubs } from './forward.ts';

/** Three hubs as one, on two cores that they share with their database, NATS, nginx and the callers. Each part starts a cluster of its own. */
export const clusterParts = {
  forward: forwardAcrossHubs,
} as const;
