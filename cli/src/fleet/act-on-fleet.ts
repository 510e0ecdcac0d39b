import { ActionError, type Id } from '@corral/contract';
import { CliError, exitCodes } from '../CliError.ts';
import type { CommandContext } from '../commands/command-context.ts';
import type { Hub } from '../hub/hub.ts';
import { findProject, onlyProject } from '../hub/list-devices.ts';
import { failureOf } from '../failure.ts';
import { confirm } from '../output/confirm.ts';
import { formatCount } from '../output/format.ts';
import type { Definition, OperationOptions } from './operation-options.ts';
import { previewText } from './preview-text.ts';
import { readOperation, watchOperation, waysPastGuard } from './watch-operation.ts';

/** Shows what an operation would do, asks, starts it and watches it to its end. Rejected with a CliError: with `refused` where nothing was started. */
export async function actOnFleet(
  context: CommandContext,
  hub: Hub,
  definition: Definition,
  options: OperationOptions,
): Promise<void> {
  const out = context.output();
  const projectId = await (options.project === undefined
    ? onlyProject(hub)
    : findProject(hub, options.project));
  const whole = { projectId, ...definition };
  const preview = await hub.invoke('fleet_PreviewOperation', whole).catch(refuse);
  if (options.preview === true) return out.result(preview, () => previewText(preview, out));
  if (!out.isJson) out.note(previewText(preview, out));
  if (preview.eligible === 0)
    throw new CliError('It would run on no device: nothing was started.', exitCodes.refused);
  const asks = preview.starters === undefined ? 'It runs' : 'Ask for a start';
  await confirm(context, `${asks} on ${formatCount(preview.eligible, 'device')}.`, options.yes);
  const { fleetOperationId } = await hub
    .invoke('fleet_CreateOperation', { ...whole, previewHash: preview.previewHash })
    .catch(refuse);
  if (preview.starters !== undefined)
    throw new CliError(
      `It waits for somebody else to start it${preview.starters.length === 0 ? '' : `, such as ${preview.starters.join(', ')}`}: corral operations resume ${fleetOperationId}`,
      exitCodes.refused,
    );
  await startOrDiscard(context, hub, fleetOperationId, options.watch);
}

/** Starts an operation that was made for it. One that the hub refuses to start is cancelled, so that no draft stays. */
async function startOrDiscard(
  context: CommandContext,
  hub: Hub,
  fleetOperationId: Id<'fleetOperation'>,
  isWatched: boolean,
): Promise<void> {
  try {
    await hub.invoke('fleet_StartOperation', { fleetOperationId });
  } catch (error) {
    const { sentence, exitCode } = failureOf(error);
    const look = `corral operations show ${fleetOperationId}`;
    // Whether it was started is not known.
    if (!isRefusal(error)) throw new CliError(`${sentence} Look at it: ${look}`, exitCode, { cause: error });
    await hub.invoke('fleet_CancelOperation', { fleetOperationId }).catch(() => {
      throw new CliError(`${sentence} It stays as a draft: ${look}`, exitCode, { cause: error });
    });
    refuse(error);
  }
  await watchStarted(context, hub, fleetOperationId, isWatched);
}

/** Starts an operation, or goes on with it, and watches it unless told otherwise. */
export async function startOperation(
  context: CommandContext,
  hub: Hub,
  fleetOperationId: Id<'fleetOperation'>,
  isWatched: boolean,
): Promise<void> {
  await hub
    .invoke('fleet_StartOperation', { fleetOperationId })
    .catch((error: unknown) => refuseStart(hub, fleetOperationId, error));
  await watchStarted(context, hub, fleetOperationId, isWatched);
}

async function watchStarted(
  context: CommandContext,
  hub: Hub,
  fleetOperationId: Id<'fleetOperation'>,
  isWatched: boolean,
): Promise<void> {
  const out = context.output();
  if (isWatched) return watchOperation(context, hub, fleetOperationId);
  out.result({ fleetOperationId }, () => `Started: corral operations watch ${fleetOperationId}`);
}

const isRefusal = (error: unknown): error is ActionError =>
  error instanceof ActionError && error.kind === 'Invalid';

/** Who may not start an operation is told who may, and of one that its guard holds what helps. */
async function refuseStart(hub: Hub, fleetOperationId: Id<'fleetOperation'>, error: unknown): Promise<never> {
  if (isRefusal(error) && (await readOperation(hub, fleetOperationId)).isHeldByGuard === true)
    throw new CliError(`${error.message}\n${waysPastGuard(fleetOperationId)}`, exitCodes.refused, {
      cause: error,
    });
  if (error instanceof ActionError && error.kind === 'Forbidden')
    throw new CliError(error.message, exitCodes.refused, { cause: error });
  refuse(error);
}

/** What the hub finds wrong with an operation is its refusal; other failures stay as they are. */
function refuse(error: unknown): never {
  if (isRefusal(error)) throw new CliError(error.message, exitCodes.refused, { cause: error });
  throw error;
}
