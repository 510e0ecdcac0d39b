import type { CallInput, Id } from '@corral/contract';
import type { FleetAction } from './fleet-actions.ts';
import type { ModelFleet } from './fleet-model-rows.ts';

type Creation = Extract<FleetAction, { do: 'create' }>;
type Given = CallInput<'fleet_CreateOperation'>;

const deliverSecs = 300;
const intervalSecs = 50;
const equals = (name: string) => ({
  kind: 'Equals' as const,
  left: { kind: 'NamedValue' as const, name, default: { kind: 'Literal' as const, value: null } },
  right: { kind: 'Literal' as const, value: true },
});

/** A version that devices may install. */
export interface RunVersion {
  readonly versionId: Id<'packageVersion'>;
  /** What a device reports that has it. */
  readonly said: {
    readonly repository: string;
    readonly package: string;
    readonly version: string;
  };
}

/** The stages in order, with one for all devices at the end. */
export function withLastStage(stages: Creation['stages']): Creation['stages'] {
  const sorted = stages.toSorted((one, other) => one.percentage - other.percentage);
  return [...sorted, { percentage: 100, auto: false, soakSecs: 0, most: undefined }];
}

/** On what an operation runs, and what it writes. */
interface Around {
  readonly property: string;
  readonly devices: Id<'device'>[];
  /** The property of devices that an operation with an interval selects. */
  readonly member: string;
  readonly versionId: Id<'packageVersion'>;
}

/** An operation as it is given to the hub. */
export function definitionOf(
  { steps, stages, slots, percent, interval }: Creation,
  { property, devices, member, versionId }: Around,
): Partial<Given> & { steps: Given['steps'] } {
  const isInstall = steps === 'install';
  const given = {
    command: { kind: 'DeviceCommand', command: 'touch', input: null, timeoutSecs: 100 },
    property: { kind: 'SetDeviceProperty', name: property, value: 1 },
    wait: { kind: 'WaitForDeviceProperty', predicate: equals('open') },
  };
  return {
    name: property,
    selector:
      interval === 'none'
        ? { deviceIds: devices, predicates: [] }
        : { query: 'all', predicates: [equals(member)] },
    steps: isInstall ? [] : (steps.map((kind) => given[kind as 'wait']) as Given['steps']),
    ...(isInstall ? { install: { versionId, recipe: 'property' } } : {}),
    stages: stages.map(({ percentage, auto, soakSecs, most }) => ({
      name: `${percentage}`,
      percentage,
      autoAdvance: auto,
      ...(soakSecs === 0 ? {} : { soakSecs }),
      ...(most === undefined ? {} : { guard: { maxFailurePercent: most, gates: [] } }),
    })),
    maxInFlight: slots,
    pauseOnFailurePercent: percent,
    deliverWithinSecs: deliverSecs,
    ...(interval === 'none'
      ? {}
      : { enrollmentIntervalSecs: intervalSecs, closeWhenConverged: interval === 'closes' }),
  };
}

/** The same for the model. */
export function modelOf({ steps, stages, slots, percent, interval }: Creation) {
  return {
    steps: steps === 'install' ? ['property', 'proof'] : steps,
    stages: stages.map(({ percentage, auto, soakSecs, most }) => ({
      percentage,
      autoAdvance: auto,
      soakSecs,
      maxFailurePercent: most,
    })),
    isInstall: steps === 'install',
    intervalSecs: interval === 'none' ? undefined : intervalSecs,
    closesWhenConverged: interval !== 'stays',
    deliverSecs,
    slots,
    percent,
  } satisfies Partial<ModelFleet>;
}
