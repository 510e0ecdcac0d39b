import type { Id } from '@corral/contract';

/** A step as the model knows it: what the hub does at once, what the device does, a wait for all devices, and the proof of an install. */
export type StepKind = 'property' | 'command' | 'wait' | 'proof';

/** A device of the model; times are seconds. */
export interface ModelDevice {
  readonly id: Id<'device'>;
  isConnected: boolean;
  /** When it last reported the version that installs want. */
  provedAt: number;
  hasVersion: boolean;
}

/** What of an operation changes. */
export type FleetState = 'status' | 'isEnded' | 'activeStage' | 'resumedAt' | 'rows' | 'targets' | 'events';

/** A step that was reached. */
export interface ModelStep {
  status: 'Running' | 'Succeeded' | 'Failed' | 'TimedOut' | 'Skipped';
  readonly startedAt: number;
  claims: number;
  firstClaimedAt: number | undefined;
  isHandedOut: boolean;
}

/** An attempt on a device. */
export interface ModelTarget {
  readonly id: string;
  readonly fleet: ModelFleet;
  readonly device: ModelDevice;
  readonly stage: number;
  readonly attempt: number;
  readonly createdAt: number;
  isLatest: boolean;
  status: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled';
  outcome: string | null;
  releasedAt: number | undefined;
  startedAt: number | undefined;
  index: number;
  counts: boolean;
  /** Ended by a transaction of its own, so that there is an event of it. */
  hasEndEvent: boolean;
  readonly steps: Map<number, ModelStep>;
}

/** A stage of an operation. */
export interface ModelStage {
  readonly percentage: number;
  readonly autoAdvance: boolean;
  readonly soakSecs: number;
  readonly maxFailurePercent: number | undefined;
}

/** How a stage stands. */
export interface StageRow {
  devices: number;
  failures: number;
  openedAt: number | undefined;
  endedAt: number | undefined;
}

/** An operation on a fleet. */
export interface ModelFleet {
  readonly id: Id<'fleetOperation'>;
  /** The property that its steps write. */
  readonly property: string;
  readonly steps: readonly StepKind[];
  stages: readonly ModelStage[];
  readonly isInstall: boolean;
  /** The operation that it takes back. */
  readonly undoes: ModelFleet | undefined;
  readonly intervalSecs: number | undefined;
  readonly closesWhenConverged: boolean;
  readonly deliverSecs: number;
  slots: number;
  percent: number;
  status: 'Draft' | 'Running' | 'Paused' | 'Completed' | 'Failed' | 'Cancelled';
  isEnded: boolean;
  activeStage: number;
  resumedAt: number;
  rows: StageRow[];
  targets: ModelTarget[];
  readonly events: string[];
}
