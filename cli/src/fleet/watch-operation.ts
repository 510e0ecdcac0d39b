import { setTimeout as delay } from 'node:timers/promises';
import type { Executor } from '@corral/client';
import { retryingExecutor } from '@corral/client/node';
import type { Id, Output as AnswerOf } from '@corral/contract';
import { CliError, exitCodes, type ExitCode } from '../CliError.ts';
import type { CommandContext } from '../commands/command-context.ts';
import type { Hub } from '../hub/hub.ts';
import { failureOf } from '../failure.ts';
import { formatCount, formatTime } from '../output/format.ts';
import { LiveRegion } from '../output/LiveRegion.ts';
import type { Output } from '../output/output.ts';
import { plainText } from '../output/plain-text.ts';
import { fitted } from '../output/text-width.ts';

/** An operation on a fleet as the hub answers it. */
export type Operation = Extract<AnswerOf<'fleet_GetOperation'>, { result: 'Found' }>;

type Summary = Operation['summary'];

const pollMs = 1_000;
const barCells = 24;

/** Reads an operation. Rejected with a CliError where there is none. */
export async function readOperation(
  hub: Executor,
  fleetOperationId: Id<'fleetOperation'>,
): Promise<Operation> {
  const found = await hub.invoke('fleet_GetOperation', { fleetOperationId });
  if (found.result === 'NotFound') throw new CliError(`There is no operation ${fleetOperationId}.`);
  return found;
}

/**
 * Shows an operation until it has ended or is paused, and prints the result; the exit code says which. Waits for a hub that is away. Ctrl-C ends only the watching. Rejected with a CliError unless
 * the operation ended well.
 */
export async function watchOperation(
  context: CommandContext,
  hub: Hub,
  id: Id<'fleetOperation'>,
): Promise<void> {
  const out = context.output();
  const stop = context.parts.stopSignal();
  const region = out.isLive ? new LiveRegion((text) => out.write(text)) : undefined;
  let said = '';
  const show = (lines: readonly string[]): void => {
    if (region !== undefined) region.render(lines.map((line) => fitted(line, out.columns - 1)));
    else if (!out.isJson && said !== lines[0]) out.note((said = lines[0] ?? ''));
  };
  const again = `corral operations watch ${id}`;
  const onRetry = (reason: string): void => show([`${plainText(reason)} It is asked again.`]);
  const patient = retryingExecutor(hub, { signal: stop, onRetry, howToResume: `Go on: ${again}` });
  let last: Operation['summary'] | undefined;
  try {
    for (;;) {
      const operation = await readOperation(patient, id);
      last = operation.summary;
      show(progressLines(operation, out));
      if (last.status !== 'Running') return await conclude(patient, operation, out);
      await delay(pollMs, undefined, { signal: stop });
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (!stop.aborted) {
      const { sentence, exitCode } = failureOf(error);
      throw new CliError(sentence.includes(again) ? sentence : `${sentence} Go on: ${again}`, exitCode, {
        cause: error,
      });
    }
    if (out.isJson) out.result(last ?? { fleetOperationId: id }, () => '');
    throw new CliError(`The operation goes on: ${again}`, exitCodes.unwatched);
  }
}

function progressLines({ summary, stageStates }: Operation, { style }: Output): string[] {
  const { progress, activeStageIndex, stageCount, name, opensAt } = summary;
  const failed = failedOf(summary);
  const done = progress.succeeded + progress.failed + progress.timedOut + progress.cancelled;
  const full = progress.total === 0 ? barCells : Math.floor((done / progress.total) * barCells);
  const bar = `${'█'.repeat(full)}${'░'.repeat(barCells - full)}`;
  const stage = stageStates[activeStageIndex];
  const budget = stage === undefined ? '' : `, ${stage.failures} failed, ${stage.budget} tolerated`;
  return [
    `${plainText(name)}: stage ${activeStageIndex + 1} of ${stageCount}${budget}${opensAt === undefined ? '' : `; waits for its window, which opens at ${formatTime(opensAt)}`}`,
    `${style.green(bar)} ${done} of ${progress.total}: ${progress.succeeded} succeeded, ${failed} failed${lateOf(summary)}, ${progress.running} running, ${progress.pending} not begun`,
  ];
}

/** Prints how it stands now, and how devices failed. Rejected with a CliError for an operation that did not end well. */
async function conclude(hub: Executor, operation: Operation, out: Output): Promise<void> {
  const { summary } = operation;
  const { fleetOperationId } = summary;
  // Of one that is paused devices end while the groups are read: its numbers are those after them.
  const { groups } = await hub.invoke('fleet_QueryFailureGroups', { fleetOperationId });
  const { progress, notDelivered } = (await readOperation(hub, fleetOperationId)).summary;
  const shown = { ...summary, progress, notDelivered };
  out.result({ ...shown, failureGroups: groups }, () =>
    [conclusion(shown, out), ...failureLines(groups)].join('\n'),
  );
  const exitCode = exitCodeOf(operation);
  if (exitCode !== exitCodes.ok) throw new CliError(sentenceOf(operation), exitCode);
}

/** One line for each kind of error, with one of them and how many devices had it. */
export function failureLines(groups: AnswerOf<'fleet_QueryFailureGroups'>['groups']): string[] {
  return groups.map(({ example, count }) => `  ${formatCount(count, 'device')}: ${plainText(example)}`);
}

/** On how many devices an operation failed: those that it did not reach are none of them. */
export function failedOf({ progress, notDelivered }: Summary): number {
  return progress.failed + progress.timedOut - notDelivered;
}

function lateOf({ notDelivered }: Summary): string {
  return notDelivered === 0 ? '' : `, ${formatCount(notDelivered, 'device')} not reached`;
}

function conclusion(summary: Summary, { style }: Output): string {
  const { progress } = summary;
  const mark = summary.status === 'Completed' ? style.green('✓') : style.red('✗');
  return `${mark} ${plainText(summary.name)}: ${progress.succeeded} of ${formatCount(progress.total, 'device')} succeeded, ${failedOf(summary)} failed${lateOf(summary)}.`;
}

/** What helps an operation that its guard holds. */
export function waysPastGuard(fleetOperationId: Id<'fleetOperation'>): string {
  return `Run it again on the devices that failed: corral operations retry ${fleetOperationId}\nOr begin the next stage nevertheless: corral operations advance ${fleetOperationId} --force --reason TEXT`;
}

function sentenceOf({ summary, isHeldByGuard }: Operation): string {
  const { status, pauseReason, fleetOperationId } = summary;
  if (status === 'Paused' && isHeldByGuard === true)
    return `${pauseReason ?? 'The operation is paused.'}\n${waysPastGuard(fleetOperationId)}`;
  if (status === 'Paused')
    return `${pauseReason ?? 'The operation is paused.'} Go on: corral operations resume ${fleetOperationId}`;
  if (status === 'Cancelled') return 'The operation was cancelled.';
  if (status === 'Draft')
    return `The operation has not been started: corral operations resume ${fleetOperationId}`;
  return `Some devices failed. Run it on them again: corral operations retry ${fleetOperationId}`;
}

function exitCodeOf({ summary: { status } }: Operation): ExitCode {
  if (status === 'Completed') return exitCodes.ok;
  return status === 'Paused' || status === 'Draft' ? exitCodes.paused : exitCodes.someFailed;
}
