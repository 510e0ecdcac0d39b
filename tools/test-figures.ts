import type {} from 'vitest';

interface TestFigure {
  /** What is counted. */
  readonly what: string;
  /** The test file that reads it with `inject('figures')`. */
  readonly file: string;
  /** Its size in `npm test`. */
  readonly normal: number;
  /** Its size in `npm run test:deep`. */
  readonly deep: number;
}

const gateway = 'hub/src/entry/gateway';
const properties = 'multiplex/src/properties.test.ts';
const versions = 'hub/src/domains/devices/actions/property-versions.test.ts';

const all = {
  malformedInputs: {
    what: 'malformed inputs against the parts of the protocol',
    file: 'fuzz/src/fuzz.test.ts',
    normal: 50_000,
    deep: 20_000_000,
  },
  schedules: {
    what: 'generated plans of writes, reads and delays',
    file: properties,
    normal: 40,
    deep: 2_000,
  },
  frameSequences: { what: 'generated sequences of frames', file: properties, normal: 300, deep: 20_000 },
  generatedInputs: {
    what: 'generated inputs of each action',
    file: 'hub/src/domains/schema-conformance.test.ts',
    normal: 15,
    deep: 500,
  },
  operationRuns: {
    what: 'generated runs of operations against their model',
    file: 'hub/src/domains/operations/actions/operation-model.test.ts',
    normal: 200,
    deep: 10_000,
  },
  carrierCuts: {
    what: 'cuts of connections while steps of operations are handed out, run and reported',
    file: `${gateway}/operation-cuts.test.ts`,
    normal: 150,
    deep: 10_000,
  },
  fleetRuns: {
    what: 'generated runs of operations on fleets against their model',
    file: 'hub/src/domains/fleet/internal/fleet-model.test.ts',
    normal: 15,
    deep: 10_000,
  },
  alertRuns: {
    what: 'generated runs of devices, mutes and stops of the hub against what alerts promise',
    file: 'hub/src/domains/alerts/internal/alert-model.test.ts',
    normal: 6,
    deep: 1_000,
  },
  faultyInstalls: {
    what: 'installs by three recipes on devices with faults',
    file: 'hub/src/domains/fleet/actions/faulty-installs.test.ts',
    normal: 30,
    deep: 1_000,
  },
  pauses: {
    what: 'pauses at chance moments while many devices claim',
    file: 'hub/src/domains/fleet/internal/pauses.test.ts',
    normal: 20,
    deep: 1_000,
  },
  abortedForwards: {
    what: 'forwards opened, used and aborted on one connection',
    file: `${gateway}/forward-abort.test.ts`,
    normal: 40,
    deep: 6_000,
  },
  liveMessages: {
    what: 'malformed messages over live sockets',
    file: `${gateway}/malformed-frames.test.ts`,
    normal: 2_000,
    deep: 40_000,
  },
  parallelStreams: {
    what: 'streams requested at once of an agent of 2026-08',
    file: `${gateway}/channel-open-queue.test.ts`,
    normal: 150,
    deep: 300,
  },
  splitStreams: {
    what: 'generated WebSocket streams, each split at random',
    file: 'multiplex/src/transports/web-socket/reader.test.ts',
    normal: 40,
    deep: 10_000,
  },
  folderLocks: {
    what: 'rounds of eight attempts to lock one data folder at once',
    file: 'hub/src/platform/postgres/folder-lock.test.ts',
    normal: 10,
    deep: 200,
  },
  imageMib: {
    what: 'MiB of an image of which 3 % changed',
    file: 'client/src/transfer/delta.test.ts',
    normal: 64,
    deep: 1_024,
  },
  assetRaces: {
    what: 'rounds of each race about one asset',
    file: 'hub/src/entry/transfers/races.test.ts',
    normal: 10,
    deep: 200,
  },
  repeatedUploads: {
    what: 'uploads that lose their connection and are sent again at once, of each kind',
    file: 'hub/src/entry/transfers/uploads.test.ts',
    normal: 4,
    deep: 50,
  },
  tagRaces: {
    what: 'races of tags, versions and files',
    file: 'hub/src/domains/packages/actions/tag-races.test.ts',
    normal: 40,
    deep: 200,
  },
  assetFaults: {
    what: 'uploads and downloads with random faults',
    file: 'hub/src/entry/transfers/faults.test.ts',
    normal: 40,
    deep: 1_000,
  },
  recordChanges: {
    what: 'changes of sealed rows of the audit log',
    file: 'hub/src/domains/audit/jobs/seal-audit-log.test.ts',
    normal: 25,
    deep: 1_000,
  },
  revocations: {
    what: 'memberships, rights of administrators, tokens, sessions and accounts that end while they are used',
    file: 'hub/src/entry/proxy/revocation-trials.test.ts',
    normal: 200,
    deep: 1_000,
  },
  revocationBoundMs: {
    what: 'milliseconds within which every right has ended; the promised bound in the deep run, and a generous timeout otherwise',
    file: 'hub/src/entry/proxy/revocation-trials.test.ts',
    normal: 30_000,
    deep: 5_000,
  },
  crashRounds: {
    what: 'kills of a hub at each step of an upload and of a deletion',
    file: 'hub/src/entry/transfers/crash-points.deep.test.ts',
    normal: 1,
    deep: 20,
  },
  storeCrashRounds: {
    what: 'kills of a hub at each step of an upload to an object store and of a deletion there',
    file: 'hub/src/entry/transfers/crash-points-in-stores.deep.test.ts',
    normal: 1,
    deep: 20,
  },
  concurrentWrites: { what: 'rounds of concurrent property writes', file: versions, normal: 10, deep: 300 },
} satisfies Record<string, TestFigure>;

/** The names of the figures of the tests. */
export type FigureName = keyof typeof all;

/** The size of each figure in one run. */
export type Figures = Readonly<Record<FigureName, number>>;

/** Every figure with both sizes. */
export const testFigures: Readonly<Record<FigureName, TestFigure>> = all;

/** True in `npm run test:deep`, which sets CORRAL_TEST_DEPTH to `deep`. */
export const isDeep = process.env['CORRAL_TEST_DEPTH'] === 'deep';

/** The figures of this run. */
export const figures = Object.fromEntries(
  Object.entries(testFigures).map(([name, { normal, deep }]) => [name, isDeep ? deep : normal]),
) as Figures;

declare module 'vitest' {
  interface ProvidedContext {
    readonly figures: Figures;
  }
}
