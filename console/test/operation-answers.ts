import type { AnswerTable } from '@corral/client';
import type { Output } from '@corral/contract';
import { answers } from './device-answers.ts';
import { crane, gate, nameless, projectId } from './project-answers.ts';
import { userId } from './render-console.tsx';

type Found = Extract<Output<'fleet_GetOperation'>, { result: 'Found' }>;
type Summary = Output<'fleet_QueryOperations'>['operations'][number];
type Target = Output<'fleet_QueryOperationTargets'>['targets'][number];

/** The operation in `operationAnswers`. */
export const operationId = 'flt_op_9fKqW2x9RvHy8cBq1sw7Fd';
/** The operation on the crane. */
export const craneOperation = 'd_op_9fKqW2x9RvHy8cBq1sw7Fd';

const progress = { total: 20, pending: 10, running: 2, succeeded: 5, failed: 3, timedOut: 0, cancelled: 0 };
const none = { total: 0, pending: 0, running: 0, succeeded: 0, failed: 0, timedOut: 0, cancelled: 0 };

/** An operation that runs in its second stage, on which three devices have failed. */
export function listedOperation(more: Partial<Summary> = {}): Summary {
  return {
    fleetOperationId: operationId,
    projectId,
    name: 'Install press 1.4.0',
    status: 'Running',
    closeWhenConverged: true,
    activeStageIndex: 1,
    stageCount: 3,
    progress,
    createdAt: '2026-11-01T10:00:00Z',
    startedAt: '2026-11-01T10:01:00Z',
    createdBy: { actor: 'User', kind: 'User', userId },
    notDelivered: 0,
    interrupted: 1,
    unknown: 0,
    selectionErrors: 0,
    maxInFlight: 50,
    pauseOnFailurePercent: 5,
    ...more,
  } as Summary;
}

/** The operation with its steps and stages. */
export function foundOperation(more: Partial<Summary> = {}): Found {
  return {
    result: 'Found',
    summary: listedOperation(more),
    selector: { query: 'label.site:north', predicates: [] },
    stages: [
      { name: '1 %', percentage: 1, autoAdvance: true },
      { name: '50 %', percentage: 50, autoAdvance: true, soakSecs: 600 },
      { name: '100 %', percentage: 100 },
    ],
    steps: [
      { kind: 'SetDeviceProperty', name: 'wanted', value: '1.4.0' },
      { kind: 'DeviceCommand', command: 'restart', input: { delay: 3 } },
    ],
    stageStates: [
      {
        stageIndex: 0,
        devices: 1,
        progress: { ...none, total: 1, succeeded: 1 },
        failures: 0,
        budget: 1,
        openedAt: '2026-11-01T10:01:00Z',
      },
      {
        stageIndex: 1,
        devices: 10,
        progress: { ...none, total: 10, pending: 1, running: 2, succeeded: 4, failed: 3 },
        failures: 3,
        budget: 5,
        openedAt: '2026-11-01T10:05:00Z',
      },
      { stageIndex: 2, devices: 9, progress: { ...none, total: 9, pending: 9 }, failures: 0, budget: 1 },
    ],
  };
}

function target(deviceId: Target['deviceId'], deviceName: string, more: Partial<Target>): Target {
  return {
    deviceId,
    deviceOperationId: `d_op_${deviceId.slice(2)}`,
    stageIndex: 1,
    stepIndex: 1,
    status: 'Running',
    updatedAt: '2026-11-01T10:06:00Z',
    stepStates: [],
    deviceName,
    isConnected: true,
    attempt: 1,
    ...more,
  };
}

/** The devices of the operation. */
export const targets: readonly Target[] = [
  target(gate, 'north-gate', { status: 'Failed', lastError: 'no space left on /data' }),
  target(crane, 'crane-04', {}),
  target(nameless, 'winch', { status: 'Succeeded' }),
];

/** The steps of the operation on the crane. */
export const deviceOperation: Output<'devices_GetOperation'> = {
  result: 'Found',
  summary: {
    deviceOperationId: craneOperation,
    projectId,
    deviceId: crane,
    name: 'Run restart',
    status: 'Succeeded',
    stepIndex: 0,
    stepCount: 1,
    createdAt: '2026-11-01T10:00:00Z',
    startedAt: '2026-11-01T10:00:00Z',
    completedAt: '2026-11-01T10:00:05Z',
    updatedAt: '2026-11-01T10:00:05Z',
    attempt: 1,
  },
  steps: [{ kind: 'DeviceCommand', command: 'restart', input: { delay: 3 } }],
  stepStates: [
    {
      stepIndex: 0,
      status: 'Succeeded',
      output: { restarted: true },
      startedAt: '2026-11-01T10:00:00Z',
      completedAt: '2026-11-01T10:00:05Z',
      carrier: 'Channel',
      log: ['stopping press', 'press is up'],
    },
  ],
};

/** The commands that the crane offers. */
export const commands: Output<'devices_QueryCommands'>['manifest']['commands'] = [
  {
    name: 'restart',
    description: 'Restarts the press.',
    input: {
      type: 'object',
      required: ['delay'],
      properties: {
        delay: { type: 'integer', minimum: 0, description: 'In seconds.' },
        mode: { enum: ['soft', 'hard'], default: 'soft' },
        force: { type: 'boolean' },
      },
    },
  },
  { name: 'collect' },
];

/** The answers that the pages of operations need. */
export const operationAnswers: AnswerTable = {
  ...answers,
  fleet_QueryOperations: () => ({ operations: [listedOperation()] }),
  fleet_GetOperation: () => foundOperation(),
  fleet_QueryOperationTargets: () => ({ targets: [...targets] }),
  fleet_QueryFailureGroups: () => ({
    groups: [
      {
        text: 'no space left on slot …',
        example: 'no space left on slot 2',
        count: 3,
        status: 'Failed',
        stepIndex: 1,
        sample: [{ deviceId: gate, name: 'north-gate' }],
      },
    ],
  }),
  fleet_QueryOperationSelectionErrors: () => ({ errors: [] }),
  fleet_QueryOperationEvents: () => ({ events: [] }),
  fleet_QueryOperationHistory: () => ({
    from: '2026-11-01T10:01:00Z',
    stepSeconds: 60,
    succeeded: [1, 0, 0, 0, 4, 0],
    failed: [0, 0, 0, 0, 0, 3],
    timedOut: [0, 0, 0, 0, 0, 0],
  }),
  devices_QueryOperations: () => ({ operations: [] }),
  devices_GetOperation: () => deviceOperation,
  devices_QueryCommands: () => ({ manifest: { commands } }),
  projects_QueryProjectRepositories: () => ({ repositories: [] }),
};
