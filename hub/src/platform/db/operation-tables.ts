import type { Actor, Json } from '@corral/contract';
import type { ColumnType, Generated } from 'kysely';
import type { JsonColumn, TimestampColumn } from './tables.ts';

/** Operations on the devices of a project. Order of locks: device operation, stage, fleet operation; whoever goes through many device operations skips locked ones. */
interface FleetOperations {
  fleet_operation_id: string;
  project_id: string;
  name: string;
  description: string | null;
  /** A transaction that hands out work holds this row `for key share`, one that pauses it `for update`: after the commit of a pause no work is handed out. */
  status: 'Draft' | 'Running' | 'Paused' | 'Completed' | 'Failed' | 'Cancelled';
  /** What it was created from: selector, stages, install, window. */
  definition: JsonColumn;
  /** What each device does; of an install the steps of its recipe. */
  steps: JsonColumn<Json[]>;
  /** Where in the inputs of its commands the schemas of devices said, when it was made or started, that secrets are. */
  secret_places: JsonColumn<Json[]> | null;
  enrollment_interval_secs: number | null;
  /** When the last selection of its devices ended, and when the next one may begin. */
  last_enrollment_at: TimestampColumn | null;
  next_enrollment_at: TimestampColumn | null;
  close_when_converged: boolean;
  active_stage: Generated<number>;
  max_in_flight: number;
  pause_on_failure_percent: number;
  deliver_within_secs: number;
  preview_hash: string | null;
  /** The devices of the preview, in order, to tell at the start which have joined and left; of a draft. */
  previewed_devices: string[] | null;
  /** What it installs. */
  installs_version: string | null;
  installs_package: string | null;
  /** Why it is paused, in a sentence. */
  pause_reason: string | null;
  created_by: JsonColumn<Actor>;
  created_at: TimestampColumn;
  started_at: TimestampColumn | null;
  /** When it last began or went on: the clocks of its steps begin not earlier. */
  resumed_at: TimestampColumn | null;
  /** The maintenance window in which it is, or the next one: devices begin and get steps within it alone. Null without a window; of one that has ended, the driver finds the next one. */
  window_opens_at: TimestampColumn | null;
  window_closes_at: TimestampColumn | null;
  completed_at: TimestampColumn | null;
  /** How many devices ended how; of one that has ended. */
  final_counts: JsonColumn | null;
}

/** The stages of operations that have begun. */
interface FleetOperationStages {
  fleet_operation_id: string;
  stage_index: number;
  /** Devices that are in this stage and in no earlier one. */
  devices: number;
  /** Failures that count against the budget; a failure changes this row before it pauses the operation. */
  failures: Generated<number>;
  opened_at: TimestampColumn | null;
  /** Since when all of its devices and of those before have ended. */
  ended_at: TimestampColumn | null;
}

/** Operations on one device, by themselves or as a part of one on a fleet. */
interface DeviceOperations {
  device_operation_id: string;
  project_id: string;
  device_id: string;
  fleet_operation_id: string | null;
  name: string;
  description: string | null;
  /** Null where they are those of the fleet operation. */
  steps: JsonColumn<Json[]> | null;
  /** Where in the inputs of its commands the schemas of devices said, when it was made or started, that secrets are. */
  secret_places: JsonColumn<Json[]> | null;
  step_count: number;
  /** What it installs; null where it is that of the fleet operation. */
  installs_version: string | null;
  stage_index: number | null;
  attempt: Generated<number>;
  /** False of an attempt that was followed by another one. */
  is_latest: Generated<boolean>;
  /** At most one of a device is Running. */
  status: Generated<'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'TimedOut' | 'Cancelled'>;
  outcome: 'NotDelivered' | 'Interrupted' | 'Unknown' | 'Superseded' | null;
  last_error: string | null;
  /** Whether it is among the failures of its stage; a further attempt takes it from them. */
  counts_as_failure: Generated<boolean>;
  step_index: Generated<number>;
  /** Null where it is that of the fleet operation. */
  created_by: JsonColumn<Actor> | null;
  created_at: TimestampColumn;
  /** When it may begin: when a person started it, or when its stage was opened. */
  released_at: TimestampColumn | null;
  started_at: TimestampColumn | null;
  completed_at: TimestampColumn | null;
  updated_at: TimestampColumn;
}

/** Steps that were reached. */
interface DeviceOperationSteps {
  device_operation_id: string;
  step_index: number;
  kind: string;
  status: 'Running' | 'Succeeded' | 'Failed' | 'TimedOut' | 'Skipped';
  /** Null where it has all the time of the world. */
  timeout_secs: number | null;
  /** Null while it was not handed out. */
  carrier: 'Claim' | 'Channel' | 'Hub' | null;
  /** The claims under which the device got it, the newest last; at most 20. */
  claim_ids: Generated<string[]>;
  /** The connection over which it was handed out last. */
  connection_id: string | null;
  claims: Generated<number>;
  /** When it was handed out first, or first after ten minutes. */
  first_claimed_at: TimestampColumn | null;
  checkpoint: JsonColumn | null;
  /** At most 64 KiB. */
  output: JsonColumn | null;
  /** The size of the whole output. */
  output_bytes: number | null;
  error: string | null;
  log: string[] | null;
  /** The property before the step, as `{ value, protected, version }`, or null where there was none; of steps that change a property. */
  undo: JsonColumn | null;
  started_at: TimestampColumn;
  /** When a wait was last evaluated. */
  checked_at: TimestampColumn | null;
  /** The properties that the condition of a wait reads. */
  waits_for: string[] | null;
  /** What stands for their versions when it was last evaluated; null before the second time. */
  seen_versions: number | null;
  completed_at: TimestampColumn | null;
}

/** What happened in operations. */
interface OperationEvents {
  event_id: Generated<string>;
  project_id: string;
  fleet_operation_id: string | null;
  device_operation_id: string | null;
  device_id: string | null;
  at: TimestampColumn;
  kind: string;
  actor: JsonColumn<Actor> | null;
  data: JsonColumn;
  /** The number of the transaction that wrote it, by default audit_position; null where an older hub wrote it. */
  position: ColumnType<number | null, never, never>;
}

/** Devices of which the selector of an operation could not decide whether they are selected. */
interface FleetSelectionErrors {
  fleet_operation_id: string;
  device_id: string;
  error: string;
  updated_at: TimestampColumn;
}

/** The version of each package that a device has proved to have, after an install. */
interface DeviceInstalls {
  device_id: string;
  package_id: string;
  version_id: string;
  version_before: string | null;
  device_operation_id: string;
  proved_at: TimestampColumn;
}

/** What devices can do in operations. Written by the trigger note_abilities. */
interface DeviceAbilities {
  device_id: string;
  /** Equal for devices that offer the same commands. */
  manifest_hash: string | null;
  /** Whether the agent serves channels of commands. */
  has_commands: boolean | null;
  has_terminal: boolean | null;
  /** When it first claimed work over its newest connection. */
  claimed_at: TimestampColumn | null;
}

/** Changes of many devices at once. */
interface FleetChanges {
  change_id: string;
  project_id: string;
  change: JsonColumn;
  /** The change that it takes back. */
  undoes: string | null;
  total: number;
  done: Generated<number>;
  failed: Generated<number>;
  created_by: JsonColumn<Actor>;
  created_at: TimestampColumn;
  completed_at: TimestampColumn | null;
  /** Whether it is being deleted. */
  is_pruned: Generated<boolean>;
}

/** The devices of changes, also those that are deleted by now. */
interface FleetChangeDevices {
  change_id: string;
  device_id: string;
  /** What it was called when the change began. */
  name: string | null;
  /** What it gets: a name, the value of a label, the raw ids of certificates. */
  given: JsonColumn | null;
  /** What it must still have, where a change takes back another. */
  expected: JsonColumn | null;
  /** What it had before. */
  before: JsonColumn | null;
  /** Whether a label that it gets, and one that it had before, is of its own report and not of a person. */
  is_reported: Generated<boolean>;
  was_reported: Generated<boolean>;
  status: Generated<'Pending' | 'Done' | 'Failed'>;
  /** Why it was not changed, in a sentence. */
  reason: string | null;
}

/** The tables of operations. */
export interface OperationTables {
  fleet_operations: FleetOperations;
  fleet_operation_stages: FleetOperationStages;
  device_operations: DeviceOperations;
  device_operation_steps: DeviceOperationSteps;
  operation_events: OperationEvents;
  fleet_selection_errors: FleetSelectionErrors;
  device_installs: DeviceInstalls;
  device_abilities: DeviceAbilities;
  fleet_changes: FleetChanges;
  fleet_change_devices: FleetChangeDevices;
}
