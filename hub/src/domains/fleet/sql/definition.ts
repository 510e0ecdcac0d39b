import { ActionError, isFileCommand, windowProblem, type Input } from '@corral/contract';
import { onlyFiles } from '../../operations/index.ts';

/** What an operation is made of, as it is given. */
export type GivenDefinition = Input<'fleet_PreviewOperation'>;
/** A stage as it is given. */
export type Stage = GivenDefinition['stages'][number];

/** What is stored of a definition, beside the columns of the operation. */
export interface Definition {
  readonly selector: GivenDefinition['selector'];
  /** Empty for the usual ones, until it starts. */
  readonly stages: readonly Stage[];
  readonly install?: NonNullable<GivenDefinition['install']>;
  readonly window?: NonNullable<GivenDefinition['window']>;
  /** The raw id of the operation that it takes back; each device has steps of its own then. */
  readonly undoes?: string;
}

/** A stage of one device has a budget of one failure: without a guard all others would follow it. */
const byItself = {
  autoAdvance: true,
  soakSecs: 600,
  guard: { maxFailurePercent: 20, gates: [] },
} satisfies Partial<Stage>;
/** Stages of an operation that names none. */
export const defaultStages: readonly Stage[] = [
  { name: '1 %', percentage: 1, ...byItself },
  { name: '10 %', percentage: 10, ...byItself },
  { name: 'All', percentage: 100 },
];

/** The numbers of an operation that names none. */
export const defaults = {
  maxInFlight: 50,
  pauseOnFailurePercent: 5,
  deliverWithinSecs: 7 * 86_400,
} as const;

/** How many devices have no further owner's yes. */
export const mostDevicesOfMembers = 10;

/** Throws an `ActionError` of kind Invalid for a definition that no operation can have. */
export function mustBeDefinition(given: GivenDefinition): void {
  const problem =
    selectorProblem(given) ??
    stagesProblem(given.stages) ??
    stepsProblem(given) ??
    intervalProblem(given) ??
    (given.window && windowProblem(given.window));
  if (problem !== undefined) throw new ActionError('Invalid', problem);
}

function selectorProblem({ selector }: GivenDefinition): string | undefined {
  const { deviceIds, query, predicates } = selector;
  if (deviceIds !== undefined && deviceIds.length === 0) return 'The list of devices is empty.';
  const isEmpty = deviceIds === undefined && predicates.length === 0 && (query ?? '').trim() === '';
  return isEmpty
    ? 'Say on which devices it runs: by a filter, a list of devices or conditions. For all devices of the project write the filter "all".'
    : undefined;
}

function stagesProblem(stages: readonly Stage[]): string | undefined {
  let last: { readonly name: string; readonly percentage: number } | undefined;
  for (const { name, percentage = 100 } of stages) {
    if (last !== undefined && percentage <= last.percentage)
      return `The percentages of stages must ascend: "${name}" has ${percentage} % after the ${last.percentage} % of "${last.name}".`;
    last = { name, percentage };
  }
  return undefined;
}

const commandPattern = /^[A-Za-z0-9._-]{1,128}$/;

function stepsProblem({ steps, install }: GivenDefinition): string | undefined {
  if (install !== undefined && steps.length > 0)
    return 'An install makes its own steps: give none beside it.';
  if (install === undefined && steps.length === 0) return 'An operation has at least one step.';
  const place = steps.findIndex(
    (step) =>
      step.kind === 'DeviceCommand' && (!commandPattern.test(step.command) || isFileCommand(step.command)),
  );
  const wrong = steps[place];
  if (wrong?.kind === 'DeviceCommand' && isFileCommand(wrong.command))
    return `Step ${place + 1}: ${onlyFiles(wrong.command)}`;
  return wrong?.kind === 'DeviceCommand'
    ? `Step ${place + 1}: "${wrong.command}" is no name of a command. Names have 1 to 128 letters, digits, ".", "_" and "-".`
    : undefined;
}

function intervalProblem(given: GivenDefinition): string | undefined {
  return given.closeWhenConverged === false && given.enrollmentIntervalSecs === undefined
    ? 'An operation that stays open needs an interval at which further devices join.'
    : undefined;
}
