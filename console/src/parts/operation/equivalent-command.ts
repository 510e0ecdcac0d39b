import type { CallInput } from '@corral/contract';
import { shellQuoted } from '../publish-commands.ts';

type Definition = CallInput<'fleet_CreateOperation'>;

/** What an operation does and on whom, as far as the command line can say it. */
export interface Described extends Pick<
  Definition,
  'steps' | 'selector' | 'stages' | 'maxInFlight' | 'pauseOnFailurePercent'
> {
  /** The version that it installs: its id, or repository/package/version. */
  readonly install?: string | undefined;
}

/** The command of the command line that does the same; undefined for what that cannot say in one command. */
export function equivalentCommand({
  steps,
  selector: { query, deviceIds, predicates },
  stages,
  maxInFlight,
  pauseOnFailurePercent,
  install,
}: Described): string | undefined {
  if (predicates.length > 0) return undefined;
  const what = whatOf(steps, install);
  if (what === undefined) return undefined;
  const on = query ?? deviceIds?.map((id) => `id:${id}`).join(' or ');
  if (on === undefined || on.length > maxFilter) return undefined;
  const percentages = stages.map(({ percentage = 100 }) => percentage);
  return [
    what,
    `--on ${shellQuoted(on)}`,
    ...(percentages.length === 0 ? [] : [`--waves ${percentages.join(',')}`]),
    ...(maxInFlight === undefined ? [] : [`--max-in-flight ${maxInFlight}`]),
    ...(pauseOnFailurePercent === undefined ? [] : [`--budget ${pauseOnFailurePercent}%`]),
  ].join(' ');
}

const maxFilter = 400;

function whatOf(steps: Definition['steps'], install: string | undefined): string | undefined {
  if (install !== undefined) return `corral install ${shellQuoted(install)}`;
  const [step] = steps;
  if (step?.kind !== 'DeviceCommand' || steps.length > 1) return undefined;
  const isEmpty = JSON.stringify(step.input) === '{}';
  return `corral run ${shellQuoted(step.command)}${isEmpty ? '' : ` --input ${shellQuoted(JSON.stringify(step.input))}`}`;
}
