/** How much the parts of the section do: by default what takes minutes on two cores, and with CORRAL_BENCH_FULL=1 what the bars name. */
export interface ClusterCounts {
  /** Rights that are revoked with NATS, and as many without it. */
  readonly revocations: number;
  readonly liveChanges: number;
  readonly devices: number;
  /** Calls that write, each by a caller that tries again. */
  readonly writesPerSecond: number;
  readonly kills: number;
  readonly pauses: number;
  readonly databaseRestarts: number;
  readonly natsKills: number;
  /** How often a hub is cut off from the database, of each kind. */
  readonly cuts: number;
  /** How often each hub is restarted in turn. */
  readonly rollingRounds: number;
}

const reduced: ClusterCounts = {
  revocations: 100,
  liveChanges: 300,
  devices: 300,
  writesPerSecond: 40,
  kills: 3,
  pauses: 1,
  databaseRestarts: 3,
  natsKills: 5,
  cuts: 1,
  rollingRounds: 2,
};

const full: ClusterCounts = {
  revocations: 1_000,
  liveChanges: 3_000,
  devices: 3_000,
  writesPerSecond: 200,
  kills: 100,
  pauses: 20,
  databaseRestarts: 15,
  natsKills: 50,
  cuts: 10,
  rollingRounds: 5,
};

/** What this run does. */
export const counts: ClusterCounts = process.env['CORRAL_BENCH_FULL'] === '1' ? full : reduced;
