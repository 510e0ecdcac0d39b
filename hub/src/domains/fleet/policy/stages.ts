import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Turn } from '../../operations/index.ts';
import type { Stage } from '../sql/definition.ts';
import { recordEvent } from '../sql/events.ts';
import { hasFailed, readFinish, setFinished } from '../sql/finish.ts';
import { readRunning, toEvent, type LockedOperation } from '../sql/locks.ts';
import {
  haveDevices,
  isUnderWay,
  noteStageEnd,
  openStages,
  readStage,
  type StageState,
} from '../sql/stages.ts';
import { checkGuard, checkShares, type GuardVerdict, type Shares } from './guard.ts';

/** Opens the current stage of an operation that is locked and runs, goes on to the next one, or ends the operation; whether there is more to do at once. */
export async function goOnWithStages(
  turn: Turn,
  operation: LockedOperation,
  measured: Measured | undefined,
): Promise<boolean> {
  const { tx, now } = turn;
  const { operationId, activeStage, definition } = operation;
  const opened = await openStages(tx, operationId, activeStage, now);
  for (const { stageIndex, devices } of opened) {
    const stage = definition.stages[stageIndex]?.name ?? '';
    await record(turn, operation, 'StageOpened', { stageIndex, stage, devices });
  }
  if (opened.length > 0) {
    announce(turn, operation);
    return true;
  }
  const state = await readStage(tx, operationId, activeStage);
  if (state === undefined) return false;
  const isLast = activeStage + 1 >= definition.stages.length;
  if (await isUnderWay(tx, operationId, { stageIndex: activeStage, isLast })) {
    if (state.endedAt !== null) await noteStageEnd(tx, operationId, activeStage, null);
    return false;
  }
  if (state.endedAt === null) await noteStageEnd(tx, operationId, activeStage, now);
  if (!isLast) return goToNextStage(turn, operation, state, measured);
  if (operation.intervalSecs === null || operation.closesWhenConverged) await finish(turn, operation);
  return false;
}

async function goToNextStage(
  turn: Turn,
  operation: LockedOperation,
  state: StageState,
  measured: Measured | undefined,
): Promise<boolean> {
  const { tx, now } = turn;
  const { operationId, activeStage, definition } = operation;
  const stage = definition.stages[activeStage];
  // The devices of a small fleet may all be in the first stages: then there is nothing to wait for.
  if (state.devices > 0 && (await haveDevices(tx, operationId, activeStage + 1))) {
    if (!hasSoaked(stage, state, now)) return false;
    const isMeasured = measured?.stageIndex === activeStage;
    // The next look measures it before it locks.
    if (readsProperties(stage) && !isMeasured) return true;
    const verdict = isMeasured
      ? measured.verdict
      : await checkGuard(tx, { operationId, stageIndex: activeStage, stage }, now);
    if (!verdict.isOpen) {
      if (!verdict.waitsForGates) await pause(turn, operation, blockedText(stage, verdict));
      return false;
    }
  }
  await sql`update fleet_operations set active_stage = active_stage + 1 where fleet_operation_id = ${operationId}`.execute(
    tx,
  );
  return true;
}

function blockedText({ name }: Stage, { successPercent, failurePercent }: Omit<Shares, 'isSound'>): string {
  return `The stage "${name}" has ended with ${successPercent} % success and ${failurePercent} % failures, with which the next one may not begin.`;
}

/** Says why an operation would only pause again if it went on: all devices of its stage have ended, and its guard does not let the next one begin. Undefined for others. */
export async function readHeldBack(
  tx: Database,
  {
    operationId,
    activeStage,
    definition,
  }: Pick<LockedOperation, 'operationId' | 'activeStage' | 'definition'>,
): Promise<string | undefined> {
  const stage = definition.stages[activeStage];
  if (stage?.autoAdvance !== true || stage.guard === undefined) return undefined;
  if (!(await haveDevices(tx, operationId, activeStage + 1))) return undefined;
  if (await isUnderWay(tx, operationId, { stageIndex: activeStage, isLast: false })) return undefined;
  const shares = await checkShares(tx, { operationId, stageIndex: activeStage, stage });
  return shares.isSound ? undefined : blockedText(stage, shares);
}

/** The guard of a stage as it was measured before its operation was locked. */
export interface Measured {
  readonly stageIndex: number;
  readonly verdict: GuardVerdict;
}

const hasPropertyGates = sql<boolean>`jsonb_path_exists(definition, '$.stages[*].guard.gates[*].kind ? (@ == "DeviceProperty")')`;

/** Measures the guard of the active stage, before the locks, where the next stage waits for nothing else and properties of all devices have to be read. */
export async function measureGuard(
  { tx, now }: Pick<Turn, 'tx' | 'now'>,
  operationId: string,
): Promise<Measured | undefined> {
  const operation = await readRunning(tx, operationId, hasPropertyGates);
  if (operation === undefined) return undefined;
  const { activeStage: stageIndex, definition } = operation;
  const stage = definition.stages[stageIndex];
  const state = await readStage(tx, operationId, stageIndex);
  if (!readsProperties(stage) || !state?.endedAt || !hasSoaked(stage, state, now)) return undefined;
  if (!(await haveDevices(tx, operationId, stageIndex + 1))) return undefined;
  return { stageIndex, verdict: await checkGuard(tx, { operationId, stageIndex, stage }, now) };
}

function readsProperties(stage: Stage | undefined): boolean {
  return stage?.guard?.gates.some(({ kind }) => kind === 'DeviceProperty') === true;
}

/** Whether the stage after one may begin by itself, and the time to wait is over. */
function hasSoaked(stage: Stage | undefined, { endedAt }: StageState, now: Date): stage is Stage {
  if (stage?.autoAdvance !== true) return false;
  const endedMs = endedAt === null ? now.getTime() : Date.parse(endedAt);
  return now.getTime() - endedMs >= (stage.soakSecs ?? 0) * 1000;
}

/** Pauses an operation that the driver has locked; the next time if work of it is being handed out just now, whose transaction may wait for a stage. */
export async function pause(turn: Turn, operation: LockedOperation, reason: string): Promise<void> {
  const { rows } =
    await sql`select 1 from fleet_operations where fleet_operation_id = ${operation.operationId}
    for update skip locked`.execute(turn.tx);
  if (rows.length === 0) return;
  await sql`update fleet_operations set status = 'Paused', pause_reason = ${reason}
    where fleet_operation_id = ${operation.operationId}`.execute(turn.tx);
  await record(turn, operation, 'Paused', { reason });
  turn.emit('fleet_OperationPaused', { ...toEvent(operation), reason });
}

/** Ends an operation all of whose devices have ended. */
export async function finish(turn: Turn, operation: LockedOperation): Promise<void> {
  const { tx, now } = turn;
  const { operationId } = operation;
  const found = await readFinish(tx, operationId);
  const ended = hasFailed(found) ? 'Failed' : 'Completed';
  const status = operation.status === 'Cancelled' ? 'Cancelled' : ended;
  await setFinished(tx, operationId, found, status, now);
  const { counts, digest } = found;
  await record(turn, operation, 'Finished', { status, ...counts });
  turn.emit('fleet_OperationFinished', { ...toEvent(operation), status, counts: { ...counts }, digest });
}

async function record(
  { tx, now }: Turn,
  { projectId, operationId }: LockedOperation,
  kind: string,
  data: Parameters<typeof recordEvent>[1]['data'] & object,
): Promise<void> {
  await recordEvent(tx, { projectId, operationId, at: now, kind, data });
}

/** Tells pages that an operation went on. */
export function announce({ emit }: Turn, operation: LockedOperation): void {
  const { projectId, fleetOperationId } = toEvent(operation);
  emit('fleet_OperationProgressed', { projectId: projectId ?? '', fleetOperationId: fleetOperationId ?? '' });
}
