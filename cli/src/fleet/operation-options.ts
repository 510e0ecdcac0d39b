import { type CallInput, windowProblem } from '@corral/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../commands/arguments.ts';

/** What an operation on a fleet is made of, but for its project. */
export type Definition = Omit<CallInput<'fleet_PreviewOperation'>, 'projectId'>;

/** How an operation goes, and how its command shows it. */
export interface PaceOptions {
  readonly project?: string;
  readonly stages?: readonly number[];
  /** The former name of `stages`. */
  readonly waves?: readonly number[];
  readonly soak?: number;
  readonly maxInFlight?: number;
  readonly budget?: number;
  readonly window?: Definition['window'];
  readonly deliverWithin?: number;
  readonly yes?: boolean;
  readonly watch: boolean;
}

/** The options of a command that acts on a fleet. */
export interface OperationOptions extends PaceOptions {
  readonly on: string;
  readonly name?: string;
  readonly preview?: boolean;
}

/** Adds the options that say on which devices it acts, and how. */
export function withOperationOptions(command: Command): Command {
  command
    .requiredOption('--on <filter>', 'on which devices: a filter as of the list of devices, or the word all')
    .option('--name <name>', 'the name of the operation')
    .option('--preview', 'say what would be done, and do nothing');
  return withPaceOptions(command);
}

/** Adds the options that say how an operation goes. */
export function withPaceOptions(command: Command): Command {
  return command
    .option('--project <project>', 'the project of the devices, by id or name; needed where you have several')
    .option(
      '--stages <percents>',
      'on how many percent of the devices one after the other, such as 1,10,100',
      percentsOf,
    )
    .addOption(new Option('--waves <percents>').argParser(percentsOf).hideHelp())
    .option(
      '--soak <seconds>',
      'how long a stage rests before the next one begins; 600 by default',
      wholeNumber(1, weekSecs),
    )
    .option(
      '--max-in-flight <count>',
      'on how many devices at the same time; 50 by default',
      wholeNumber(1, 10_000),
    )
    .option(
      '--budget <percent>',
      'pause when more than so many percent of a stage fail, 5% by default; one failure is always tolerated, unless it is 0; a stage of which more than 20% and this failed is not followed by the next one',
      percentOf,
    )
    .option(
      '--window <hours>',
      'begin only in these hours of a time zone, such as 22:00-05:00@Europe/Berlin',
      windowOf,
    )
    .option(
      '--deliver-within <seconds>',
      'a device on which it has not begun by then ends as timed out, not delivered; a week by default',
      wholeNumber(1, 90 * daySecs),
    )
    .option('--no-watch', 'do not wait for the end of the operation')
    .option('--yes', 'do not ask');
}

/** The part of a definition that the options give. */
export function definitionOf(options: OperationOptions, name: string): Omit<Definition, 'steps'> {
  const { on, maxInFlight, budget, window, deliverWithin } = options;
  return {
    name: options.name ?? name,
    selector: { query: on, predicates: [] },
    stages: stagesOf(options),
    ...(maxInFlight === undefined ? {} : { maxInFlight }),
    ...(budget === undefined ? {} : { pauseOnFailurePercent: budget }),
    ...(window === undefined ? {} : { window }),
    ...(deliverWithin === undefined ? {} : { deliverWithinSecs: deliverWithin }),
  };
}

const daySecs = 86_400;
const weekSecs = 7 * daySecs;

/** Those that the hub takes where none are given. */
const defaultStages = [1, 10, 100];
const defaultSoakSecs = 600;
/** More failures than this stop the next stage also after a stage so small that its budget tolerates them. */
const mostFailuresPercent = 20;

/** The stages as the hub takes them; none where only its defaults are wanted. */
function stagesOf({ waves, stages = waves, soak, budget }: OperationOptions): Definition['stages'] {
  if (stages === undefined && soak === undefined && budget === undefined) return [];
  const followed = {
    autoAdvance: true,
    soakSecs: soak ?? defaultSoakSecs,
    guard: { maxFailurePercent: Math.max(mostFailuresPercent, budget ?? 0), gates: [] },
  };
  return (stages ?? defaultStages).map((percentage) => ({
    name: `${percentage} %`,
    percentage,
    ...(percentage < 100 ? followed : {}),
  }));
}

function percentsOf(text: string): readonly number[] {
  const percents = text.split(',').map(Number);
  const isRising = percents.every((percent, index) => percent > (percents[index - 1] ?? 0));
  if (!percents.every((percent) => Number.isInteger(percent)) || !isRising || percents.at(-1) !== 100)
    throw new InvalidArgumentError(
      'It must be rising whole numbers of percent that end with 100, such as 1,10,100.',
    );
  return percents;
}

function percentOf(text: string): number {
  const percent = /^\d{1,3}%?$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (percent <= 100) return percent;
  throw new InvalidArgumentError('It must be a whole number of percent, such as 5%.');
}

function windowOf(text: string): NonNullable<Definition['window']> {
  const [, from = '', to = '', timeZone = ''] = /^(\d\d:\d\d)-(\d\d:\d\d)@(.+)$/u.exec(text) ?? [];
  const window = { from, to, timeZone };
  const problem = from === '' ? 'Give it as 22:00-05:00@Europe/Berlin.' : windowProblem(window);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return window;
}
