import type { CallInput } from '@corral/contract';
import fc from 'fast-check';
import type { StepKind } from './fleet-model-rows.ts';

type Which = CallInput<'fleet_RetryOperation'>['which'][number];
/** Something that people, devices or time do. */
export type FleetAction =
  | {
      readonly do: 'create';
      readonly steps: readonly StepKind[] | 'install';
      readonly stages: readonly {
        percentage: number;
        auto: boolean;
        soakSecs: number;
        most: number | undefined;
      }[];
      readonly slots: number;
      readonly percent: number;
      readonly interval: 'none' | 'closes' | 'stays';
      readonly isStarted: boolean;
    }
  | {
      readonly do: 'start' | 'pause' | 'cancel' | 'undo';
      readonly fleet: number;
    }
  | { readonly do: 'advance'; readonly fleet: number; readonly force: boolean }
  | { readonly do: 'retry'; readonly fleet: number; readonly which: Which }
  | {
      readonly do: 'pace';
      readonly fleet: number;
      readonly slots: number;
      readonly percent: number;
    }
  | {
      readonly do: 'claim' | 'connect' | 'disconnect' | 'join' | 'prove';
      readonly device: number;
    }
  | { readonly do: 'cancelDevice'; readonly target: number }
  | {
      readonly do: 'report';
      readonly work: number;
      readonly as: 'Succeeded' | 'Failed' | 'Interrupted' | 'Running';
    }
  | { readonly do: 'open' }
  | { readonly do: 'pass'; readonly secs: number };

const fleet = fc.constantFrom(0, 0, 0, 1, 2);
const device = fc.nat(4);
const stage = fc.record({
  percentage: fc.integer({ min: 1, max: 99 }),
  auto: fc.boolean(),
  soakSecs: fc.constantFrom(0, 0, 60),
  most: fc.constantFrom(undefined, 0, 50),
});
const steps = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(fc.constantFrom<StepKind>('command', 'command', 'property', 'wait'), {
      minLength: 1,
      maxLength: 3,
    }),
  },
  { weight: 1, arbitrary: fc.constant('install' as const) },
);
const creation = fc.record({
  do: fc.constant('create' as const),
  steps,
  stages: fc.uniqueArray(stage, {
    maxLength: 2,
    selector: ({ percentage }) => percentage,
  }),
  slots: fc.integer({ min: 1, max: 4 }),
  percent: fc.constantFrom(1, 50, 100),
  interval: fc.constantFrom('none' as const, 'none' as const, 'closes' as const, 'stays' as const),
  isStarted: fc.boolean(),
});
const of = <Name extends FleetAction['do'], Fields extends Record<string, fc.Arbitrary<unknown>>>(
  name: Name,
  fields: Fields,
) =>
  fc.record({
    do: fc.constant(name),
    ...fields,
  }) as unknown as fc.Arbitrary<FleetAction>;
const action: fc.Arbitrary<FleetAction> = fc.oneof(
  { weight: 3, arbitrary: creation as fc.Arbitrary<FleetAction> },
  { weight: 4, arbitrary: of('start', { fleet }) },
  { weight: 2, arbitrary: of('pause', { fleet }) },
  { weight: 1, arbitrary: of('cancel', { fleet }) },
  { weight: 2, arbitrary: of('advance', { fleet, force: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: of('retry', {
      fleet,
      which: fc.constantFrom('Failed', 'Failed', 'Failed', 'TimedOut', 'Interrupted', 'Cancelled'),
    }),
  },
  {
    weight: 1,
    arbitrary: of('pace', {
      fleet,
      slots: fc.integer({ min: 1, max: 4 }),
      percent: fc.constantFrom(1, 100),
    }),
  },
  { weight: 8, arbitrary: of('claim', { device }) },
  { weight: 1, arbitrary: of('connect', { device }) },
  { weight: 1, arbitrary: of('disconnect', { device }) },
  { weight: 1, arbitrary: of('join', { device }) },
  { weight: 1, arbitrary: of('prove', { device }) },
  { weight: 1, arbitrary: of('cancelDevice', { target: fc.nat(9) }) },
  {
    weight: 8,
    arbitrary: of('report', {
      work: fc.nat(5),
      as: fc.constantFrom('Succeeded', 'Succeeded', 'Failed', 'Interrupted', 'Running'),
    }),
  },
  { weight: 1, arbitrary: of('open', {}) },
  { weight: 2, arbitrary: of('pass', { secs: fc.constantFrom(50, 60, 320) }) },
  { weight: 1, arbitrary: of('undo', { fleet }) },
);
/** Something that is done, and whether the hub goes on before the next one. */
export type PlannedAction = FleetAction & { readonly settles: boolean };

const planned = fc.tuple(action, fc.nat(2)).map(([one, chance]) => ({ ...one, settles: chance > 0 }));
/** What happens in one run; something runs from the beginning. */
export const fleetPlan = fc
  .tuple(creation, fc.array(planned, { minLength: 5, maxLength: 22 }))
  .map(([first, rest]): PlannedAction[] => [{ ...first, isStarted: true, settles: true }, ...rest]);
