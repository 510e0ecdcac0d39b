import { databaseRestarts, natsKills, rollingRestart } from './outages.ts';
import { cutOffHub } from './cut-off.ts';
import { forwardAcrossHubs } from './forward.ts';
import { liveViewElsewhere } from './live-view.ts';
import { lostHubs } from './lost-hubs.ts';
import { moreHubs } from './more-hubs.ts';
import { revocations } from './revocations.ts';

/** Three hubs as one, on two cores that they share with their database, NATS, nginx and the callers. Each part starts a cluster of its own. */
export const clusterParts = {
  forward: forwardAcrossHubs,
  live: liveViewElsewhere,
  revocations,
  lost: lostHubs,
  database: databaseRestarts,
  nats: natsKills,
  cut: cutOffHub,
  rolling: rollingRestart,
  hubs: moreHubs,
} as const;
