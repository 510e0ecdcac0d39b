import { readList } from '@corral/client';
import { ids, type Id, type Output as AnswerOf } from '@corral/contract';
import { type Command, InvalidArgumentError } from 'commander';
import { CliError, exitCodes } from '../CliError.ts';
import { startOperation } from '../fleet/act-on-fleet.ts';
import { previewText } from '../fleet/preview-text.ts';
import {
  failedOf,
  failureLines,
  readOperation,
  watchOperation,
  waysPastGuard,
  type Operation,
} from '../fleet/watch-operation.ts';
import { findProject, onlyProject } from '../hub/list-devices.ts';
import { confirm } from '../output/confirm.ts';
import { formatAge, formatCount } from '../output/format.ts';
import type { Output } from '../output/output.ts';
import { plainText } from '../output/plain-text.ts';
import { fieldList, table, words } from '../output/table.ts';
import { withExample, type CommandContext } from './command-context.ts';

type Summary = AnswerOf<'fleet_QueryOperations'>['operations'][number];
type OperationId = Id<'fleetOperation'>;

const exampleId = `flt_op_${'7'.repeat(22)}`;
const endings = ['Failed', 'TimedOut', 'Interrupted', 'Cancelled'] as const;
type Ending = (typeof endings)[number];

/** `corral operations …`. */
export function addOperations(program: Command, context: CommandContext): void {
  const operations = program
    .command('operations')
    .description('Works with operations on the devices of a project.');
  const listing = operations
    .command('list')
    .description('Lists the operations of a project, newest first.')
    .option('--project <project>', 'the project, by id or name; needed where you have several')
    .action((options: { project?: string }) => list(context, options.project));
  withExample(listing, 'corral operations list --project Plant');
  ofOne(operations, 'show', 'Shows an operation and how its devices failed.', (id) => show(context, id));
  ofOne(operations, 'watch', 'Shows an operation until it ends or is paused.', (id) =>
    watchOperation(context, context.hub(), id),
  );
  ofOne(operations, 'pause', 'Pauses an operation: nothing more begins, what runs goes on.', (id) =>
    tell(context, 'fleet_PauseOperation', id, 'The operation is paused.'),
  );
  addResume(operations, context);
  addAdvance(operations, context);
  addCancel(operations, context);
  addRetry(operations, context);
  ofOne(
    operations,
    'undo',
    'Prepares an operation that gives the devices back what they had before; it begins with `resume`.',
    (id) => undo(context, id),
  );
}

/** Adds a command that takes an operation, with an example. */
function ofOne<Options>(
  operations: Command,
  name: string,
  description: string,
  run: (id: OperationId, options: Options) => Promise<void>,
  withOptions: (command: Command) => Command = (command) => command,
): void {
  const command = operations
    .command(name)
    .description(description)
    .argument('<operation>', 'the id of the operation, which `corral operations list` shows', operationId);
  withExample(withOptions(command).action(run), `corral operations ${name} ${exampleId}`);
}

function operationId(text: string): OperationId {
  if (ids.fleetOperation.schema.safeParse(text).success) return text as OperationId;
  throw new InvalidArgumentError('It must be the id of an operation, flt_op_ and 22 symbols.');
}

async function list(context: CommandContext, project: string | undefined): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const projectId = await (project === undefined ? onlyProject(hub) : findProject(hub, project));
  const answer = await readList(hub, 'fleet_QueryOperations', { projectId });
  out.result(answer, () => {
    if (answer.operations.length === 0) return 'There is no operation yet.';
    const rows = answer.operations.map((operation) => [
      plainText(operation.name),
      operation.status.toLowerCase(),
      doneOf(operation),
      formatAge(operation.createdAt, hub.nowMs()),
      operation.fleetOperationId,
    ]);
    return table([words('NAME'), 'STATUS', 'DONE', 'CREATED', 'OPERATION'], rows, out);
  });
}

function doneOf(summary: Summary): string {
  const { total, succeeded } = summary.progress;
  const wrong = failedOf(summary);
  return `${succeeded} of ${total}${wrong === 0 ? '' : `, ${wrong} failed`}`;
}

async function show(context: CommandContext, fleetOperationId: OperationId): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const [operation, { groups }] = await Promise.all([
    readOperation(hub, fleetOperationId),
    hub.invoke('fleet_QueryFailureGroups', { fleetOperationId }),
  ]);
  if (operation.summary.status === 'Draft' && !out.isJson) return showDraft(context, operation);
  out.result({ ...operation, failureGroups: groups }, () => {
    const { summary, stageStates, stages } = operation;
    const shownStages = stageStates.map(({ stageIndex, devices, progress }) => {
      const name = plainText(stages[stageIndex]?.name ?? String(stageIndex + 1));
      return `${name}: ${progress.succeeded} of ${formatCount(devices, 'device')}`;
    });
    const failures = failureLines(groups).map((line) => line.trim());
    return fieldList(
      [
        ['Name', plainText(summary.name)],
        ['Status', statusOf(summary, out)],
        ['Done', doneOf(summary)],
        ...(shownStages.length === 0 ? [] : [['Stages', shownStages] as const]),
        ...(failures.length === 0 ? [] : [['Failures', failures] as const]),
      ],
      out.style,
    );
  });
}

/** Shows what a draft would do if it were started now. */
async function showDraft(context: CommandContext, operation: Operation): Promise<void> {
  const out = context.output();
  const { fleetOperationId, name } = operation.summary;
  const preview = await context.hub().invoke('fleet_PreviewDraft', { fleetOperationId });
  const fields = fieldList(
    [
      ['Name', plainText(name)],
      ['Status', 'draft'],
    ],
    out.style,
  );
  out.result(preview, () => `${fields}\n${previewText(preview, out)}`);
}

function statusOf({ status, pauseReason }: Summary, { style }: Output): string {
  if (status !== 'Paused') return status.toLowerCase();
  return style.yellow(`paused${pauseReason === undefined ? '' : `: ${plainText(pauseReason)}`}`);
}

async function tell(
  context: CommandContext,
  name: 'fleet_PauseOperation' | 'fleet_CancelOperation',
  fleetOperationId: OperationId,
  sentence: string,
): Promise<void> {
  const out = context.output();
  const answer = await context.hub().invoke(name, { fleetOperationId });
  out.result(answer, () => `${out.style.green('✓')} ${sentence}`);
}

function addResume(operations: Command, context: CommandContext): void {
  ofOne(
    operations,
    'resume',
    'Starts a prepared operation or goes on with a paused one, and shows how it goes.',
    (id, { watch }: { watch: boolean }) => startOperation(context, context.hub(), id, watch),
    (command) => command.option('--no-watch', 'do not wait for the end'),
  );
}

interface AdvanceOptions {
  readonly force?: boolean;
  readonly reason?: string;
}

function addAdvance(operations: Command, context: CommandContext): void {
  ofOne(
    operations,
    'advance',
    'Begins the next stage, if the guard of the present one allows it.',
    (id, options: AdvanceOptions) => advance(context, id, options),
    (command) =>
      command
        .option('--force', 'whatever the guard says')
        .option('--reason <text>', 'why, for the log of the project'),
  );
}

async function advance(
  context: CommandContext,
  fleetOperationId: OperationId,
  { force, reason }: AdvanceOptions,
): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const answer = await hub.invoke('fleet_AdvanceOperationStage', {
    fleetOperationId,
    ...(force === undefined ? {} : { force }),
    ...(reason === undefined ? {} : { reason }),
  });
  if (answer.result === 'GuardBlocked') {
    const { successPercent, failurePercent, gates } = answer;
    const blocked = gates.filter(({ passed }) => !passed).map(({ summary }) => plainText(summary));
    const facts = [`${successPercent} % succeeded`, `${failurePercent} % failed`, ...blocked].join(', ');
    throw new CliError(
      `The guard of this stage does not allow the next one: ${facts}.\n${waysPastGuard(fleetOperationId)}`,
      exitCodes.refused,
    );
  }
  const { status } = (await readOperation(hub, fleetOperationId)).summary;
  const begins =
    status === 'Paused'
      ? `The next stage begins as soon as the operation goes on: corral operations resume ${fleetOperationId}`
      : 'The next stage begins.';
  out.result(answer, () =>
    answer.result === 'Advanced' ? `${out.style.green('✓')} ${begins}` : 'This is the last stage.',
  );
}

function addCancel(operations: Command, context: CommandContext): void {
  ofOne(
    operations,
    'cancel',
    'Ends an operation: devices that have not begun are left out, what runs goes on.',
    async (id, { yes }: { yes?: boolean }) => {
      await confirm(context, 'The operation ends, and devices that have not begun are left out.', yes);
      await tell(context, 'fleet_CancelOperation', id, 'The operation is cancelled.');
    },
    (command) => command.option('--yes', 'do not ask'),
  );
}

interface RetryOptions {
  readonly which: Ending[];
  readonly watch: boolean;
}

function addRetry(operations: Command, context: CommandContext): void {
  ofOne(
    operations,
    'retry',
    'Runs an operation again on those of its devices on which it did not succeed; a paused one waits for `resume`.',
    (id, options: RetryOptions) => retry(context, id, options),
    (command) =>
      command
        .option('--which <endings>', `some of ${endings.join(',')}`, endingsOf, [
          'Failed',
          'TimedOut',
          'Interrupted',
        ])
        .option('--no-watch', 'do not wait for the end'),
  );
}

function endingsOf(text: string): Ending[] {
  const given = text.split(',') as Ending[];
  if (given.every((ending) => endings.includes(ending))) return given;
  throw new InvalidArgumentError(`It must be some of ${endings.join(',')}.`);
}

async function retry(
  context: CommandContext,
  fleetOperationId: OperationId,
  { which, watch }: RetryOptions,
): Promise<void> {
  const out = context.output();
  const hub = context.hub();
  const { devices } = await hub.invoke('fleet_RetryOperation', { fleetOperationId, which });
  if (devices === 0) throw new CliError('No device of the operation ended like that.', exitCodes.refused);
  const { status } = (await readOperation(hub, fleetOperationId)).summary;
  if (status === 'Paused') {
    if (out.isJson) out.result({ devices }, () => '');
    throw new CliError(
      `The operation is paused: it runs again on ${formatCount(devices, 'device')} as soon as it goes on: corral operations resume ${fleetOperationId}`,
      exitCodes.paused,
    );
  }
  if (!out.isJson) out.note(`It runs again on ${formatCount(devices, 'device')}.`);
  if (watch) return watchOperation(context, hub, fleetOperationId);
  out.result({ devices }, () => `Watch it: corral operations watch ${fleetOperationId}`);
}

async function undo(context: CommandContext, fleetOperationId: OperationId): Promise<void> {
  const out = context.output();
  const answer = await context.hub().invoke('fleet_PrepareUndo', { fleetOperationId });
  const id = answer.fleetOperationId;
  out.result(
    answer,
    () =>
      `${out.style.green('✓')} Prepared, in the same stages, without their rest. Look at it and start it:\n  corral operations show ${id}\n  corral operations resume ${id}`,
  );
}
