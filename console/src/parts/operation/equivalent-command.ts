import type { CallInput } from '@corral/contract';
import { jsonText } from '../../ui/text/json-text.ts';
import { shellQuoted } from '../publish-commands.ts';

type Definition = CallInput<'fleet_CreateOperation'>;
type Stages = Definition['stages'];

/** What an operation does and on whom, as far as the command line can say it. */
export interface Described extends Pick<
  Definition,
  | 'projectId'
  | 'steps'
  | 'selector'
  | 'stages'
  | 'maxInFlight'
  | 'pauseOnFailurePercent'
  | 'deliverWithinSecs'
  | 'enrollmentIntervalSecs'
  | 'window'
> {
  /** The version that it installs: its id, or repository/package/version. */
  readonly install?: string | undefined;
  /** The input of its command has a secret, which is no part of a command that is shown and copied. */
  readonly isSecret?: boolean;
}

/** The command of the command line that does the same; undefined for what that cannot say in one command. */
export function equivalentCommand(described: Described): string | undefined {
  const { selector, stages, maxInFlight, pauseOnFailurePercent, deliverWithinSecs, window } = described;
  const { query, deviceIds, predicates } = selector;
  if (predicates.length > 0 || described.enrollmentIntervalSecs !== undefined) return undefined;
  const what = whatOf(described);
  const stageOptions = optionsOf(stages, pauseOnFailurePercent);
  if (what === undefined || stageOptions === undefined) return undefined;
  const on = query ?? deviceIds?.map((id) => `id:${id}`).join(' or ');
  if (on === undefined || on.length > maxFilter) return undefined;
  return [
    what,
    `--project ${described.projectId} --on ${shellQuoted(on)}`,
    ...stageOptions,
    ...(maxInFlight === undefined ? [] : [`--max-in-flight ${maxInFlight}`]),
    ...(pauseOnFailurePercent === undefined ? [] : [`--budget ${pauseOnFailurePercent}%`]),
    ...(window === undefined ? [] : [`--window ${window.from}-${window.to}@${window.timeZone}`]),
    ...(deliverWithinSecs === undefined || deliverWithinSecs === weekSecs
      ? []
      : [`--deliver-within ${deliverWithinSecs}`]),
  ].join(' ');
}

const maxFilter = 400;
const weekSecs = 7 * 86_400;
const hourSecs = 3600;

function whatOf({ steps, install, isSecret }: Described): string | undefined {
  if (install !== undefined) return `corral install ${shellQuoted(install)}`;
  const [step] = steps;
  if (step?.kind !== 'DeviceCommand' || steps.length > 1) return undefined;
  const { command, input, timeoutSecs = hourSecs, when } = step;
  if (when !== undefined) return undefined;
  return [
    `corral run ${shellQuoted(command)}`,
    ...(jsonText(input) === '{}'
      ? []
      : [`--input ${isSecret === true ? '-' : shellQuoted(jsonText(input))}`]),
    ...(timeoutSecs === hourSecs ? [] : [`--timeout ${timeoutSecs}`]),
  ].join(' ');
}

/** Whether it is the guard that the command line gives to stages. */
function isGuardOfCommandLine(guard: Stages[number]['guard'], budget = 0): boolean {
  if (guard === undefined) return false;
  const { minSuccessPercent, maxFailurePercent, gates } = guard;
  return minSuccessPercent === undefined && maxFailurePercent === Math.max(20, budget) && gates.length === 0;
}

/** The options for stages that go on by themselves and rest equally long; undefined for others. */
function optionsOf(stages: Stages, budget: number | undefined): string[] | undefined {
  if (stages.length === 0) return [];
  const before = stages.slice(0, -1);
  const [{ soakSecs } = {}] = before;
  const isWave = (stage: Stages[number]) =>
    stage.autoAdvance === true && stage.soakSecs === soakSecs && isGuardOfCommandLine(stage.guard, budget);
  const last = stages.at(-1);
  // Those of the command line always rest.
  if (before.length > 0 && soakSecs === undefined) return undefined;
  if (!before.every(isWave) || last?.guard !== undefined || (last?.percentage ?? 100) < 100) return undefined;
  return [
    `--stages ${stages.map(({ percentage = 100 }) => percentage).join(',')}`,
    ...(soakSecs === undefined ? [] : [`--soak ${soakSecs}`]),
  ];
}
