import { expect, test } from 'vitest';
import { type Described, equivalentCommand } from './equivalent-command.ts';

const run = { kind: 'DeviceCommand' as const, command: 'restart', input: { pin: 12 } };
const guard = { maxFailurePercent: 20, gates: [] };
const first = { name: '1 %', percentage: 1, autoAdvance: true, soakSecs: 600, guard };
const last = { name: '100 %', percentage: 100 };
const described = (more: Partial<Described>): Described => ({
  projectId: 'p_9fKqW2x9RvHy8cBq1sw7Fd',
  steps: [run],
  selector: { query: 'all', predicates: [] },
  stages: [],
  ...more,
});

test.each<[string, Partial<Described>, string]>([
  [
    'a command with its input',
    {},
    `corral run restart --input '{"pin":12}' --project p_9fKqW2x9RvHy8cBq1sw7Fd --on all`,
  ],
  [
    'a secret is not in it',
    { isSecret: true },
    'corral run restart --input - --project p_9fKqW2x9RvHy8cBq1sw7Fd --on all',
  ],
  [
    'stages, their rest and the time limit',
    { steps: [{ ...run, input: {}, timeoutSecs: 60 }], stages: [first, last], deliverWithinSecs: 604_800 },
    'corral run restart --timeout 60 --project p_9fKqW2x9RvHy8cBq1sw7Fd --on all --stages 1,100 --soak 600',
  ],
  [
    'a budget above the guard of stages',
    {
      stages: [{ ...first, guard: { maxFailurePercent: 30, gates: [] } }, last],
      pauseOnFailurePercent: 30,
      install: 'a/b@1',
    },
    'corral install a/b@1 --project p_9fKqW2x9RvHy8cBq1sw7Fd --on all --stages 1,100 --soak 600 --budget 30%',
  ],
  [
    'a maintenance window',
    { window: { from: '22:00', to: '05:00', timeZone: 'Europe/Berlin' }, install: 'a/b@1' },
    'corral install a/b@1 --project p_9fKqW2x9RvHy8cBq1sw7Fd --on all --window 22:00-05:00@Europe/Berlin',
  ],
  [
    'another time of delivery',
    { steps: [{ ...run, input: {} }], deliverWithinSecs: 3600 },
    'corral run restart --project p_9fKqW2x9RvHy8cBq1sw7Fd --on all --deliver-within 3600',
  ],
])('%s', (_, more, command) => {
  expect(equivalentCommand(described(more))).toBe(command);
});

test.each<[string, Partial<Described>]>([
  ['a stage that a person opens', { stages: [{ name: '1 %', percentage: 1 }, last] }],
  ['a guard', { stages: [{ ...first, guard: { gates: [], minSuccessPercent: 90 } }, last] }],
  ['stages that do not rest', { stages: [{ ...first, soakSecs: undefined }, last] }],
  ['stages without a guard', { stages: [{ ...first, guard: undefined }, last] }],
  ['a guard below the budget', { stages: [first, last], pauseOnFailurePercent: 30 }],
  ['stages that do not end with all devices', { stages: [first, { ...last, percentage: 50 }] }],
  ['rests that differ', { stages: [first, { ...first, percentage: 10, soakSecs: 60 }, last] }],
  ['devices that join later', { enrollmentIntervalSecs: 600 }],
])('no command does the same as %s', (_, more) => {
  expect(equivalentCommand(described(more))).toBeUndefined();
});
