import type { Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import type { Stage } from '../sql/definition.ts';
import { countMatches } from '../sql/predicates.ts';
import { wasThere } from '../sql/stages.ts';

type Blocked = Extract<Output<'fleet_AdvanceOperationStage'>, { result: 'GuardBlocked' }>;
type Gate = NonNullable<Stage['guard']>['gates'][number];
type GateResult = Blocked['gates'][number];

/** Whether the guard of a stage lets the next one begin, with what it was measured by. */
export interface GuardVerdict extends Omit<Blocked, 'result'> {
  readonly isOpen: boolean;
  /** Whether only gates are closed, which may open by themselves. */
  readonly waitsForGates: boolean;
}

/** A stage of an operation, by the raw id of the operation. */
export interface GuardedStage {
  readonly operationId: string;
  readonly stageIndex: number;
  readonly stage: Stage | undefined;
}

/** Measures the guard of a stage. Devices on which nothing began in time count in no percentage, nor do those that joined it later until they have ended. */
export async function checkGuard(tx: Database, guarded: GuardedStage, now: Date): Promise<GuardVerdict> {
  const { successPercent, failurePercent, isSound } = await checkShares(tx, guarded);
  const { minSuccessPercent, maxFailurePercent, gates = [] } = guarded.stage?.guard ?? {};
  const results: GateResult[] = [];
  for (const [gateIndex, gate] of gates.entries())
    results.push({ gateIndex, ...(await checkGate(tx, guarded, gate, now)) });
  const arePassed = results.every(({ passed }) => passed);
  return {
    isOpen: isSound && arePassed,
    waitsForGates: isSound && !arePassed,
    ...(minSuccessPercent === undefined ? {} : { minSuccessPercent }),
    successPercent,
    ...(maxFailurePercent === undefined ? {} : { maxFailurePercent }),
    failurePercent,
    gates: results,
  };
}

/** How many devices of a stage succeeded and failed. */
export interface Shares {
  readonly successPercent: number;
  readonly failurePercent: number;
  /** Whether the guard of the stage allows these. */
  readonly isSound: boolean;
}

/** Measures a stage by the percentages of its guard, which do not change by themselves as gates do. */
export async function checkShares(tx: Database, guarded: GuardedStage): Promise<Shares> {
  const { successPercent, failurePercent } = await readPercentages(tx, guarded);
  const { minSuccessPercent, maxFailurePercent } = guarded.stage?.guard ?? {};
  const isSound =
    (minSuccessPercent === undefined || successPercent >= minSuccessPercent) &&
    (maxFailurePercent === undefined || failurePercent <= maxFailurePercent);
  return { successPercent, failurePercent, isSound };
}

async function readPercentages(tx: Database, { operationId, stageIndex }: GuardedStage) {
  const { rows } = await sql<{ devices: number; succeeded: number; failed: number }>`
    select count(*) as devices, count(*) filter (where status = 'Succeeded') as succeeded,
      count(*) filter (where status in ('Failed', 'TimedOut')) as failed
    from device_operations o where fleet_operation_id = ${operationId} and stage_index = ${stageIndex} and is_latest
      and outcome is distinct from 'NotDelivered' and (completed_at is not null or ${wasThere(operationId)})`.execute(
    tx,
  );
  const { devices = 0, succeeded = 0, failed = 0 } = rows[0] ?? {};
  if (devices === 0) return { successPercent: 100, failurePercent: 0 };
  return {
    successPercent: Math.floor((succeeded * 100) / devices),
    failurePercent: Math.ceil((failed * 100) / devices),
  };
}

async function checkGate(
  tx: Database,
  { operationId, stageIndex }: GuardedStage,
  gate: Gate,
  now: Date,
): Promise<Omit<GateResult, 'gateIndex'>> {
  if (gate.kind === 'NotBefore') {
    const passed = Date.parse(gate.notBefore) <= now.getTime();
    const summary = `Not before ${gate.notBefore}`;
    return {
      passed,
      summary,
      actualPercent: passed ? 100 : 0,
      thresholdPercent: 100,
      evaluationErrorCount: 0,
    };
  }
  const devices = sql<boolean>`(d.device_id in (select o.device_id from device_operations o
    where o.fleet_operation_id = ${operationId} and o.stage_index = ${stageIndex} and o.is_latest))`;
  const { count, matching, errors, firstError } = await countMatches(tx, devices, gate.predicate);
  const actualPercent = count === 0 ? 100 : Math.floor((matching * 100) / count);
  return {
    passed: errors === 0 && actualPercent >= gate.minMatchPercent,
    summary: `${matching} of ${count} devices meet the condition`,
    actualPercent,
    thresholdPercent: gate.minMatchPercent,
    evaluationErrorCount: errors,
    ...(firstError === undefined ? {} : { evaluationError: firstError }),
  };
}
