import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { mustSeeFleetOperation } from '../../projects/index.ts';
import { stepSecondsOf } from '../policy/history-steps.ts';

interface Times {
  readonly created_at: string;
  readonly started_at: string | null;
  /** When the operation ended, or the last of its devices after it was cancelled; null while it is open. */
  readonly until: string | null;
}

interface Ended {
  readonly step: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly timed_out: number;
}

/** Counts how devices ended over the time of an operation; what was tried again counts as often as it ended, and what never began not at all. */
export const QueryOperationHistory: Handler<'fleet_QueryOperationHistory'> = {
  authorize: ({ tx, actor, input }) => mustSeeFleetOperation(tx, actor, input.fleetOperationId),

  async run({ tx, input, now }) {
    const operationId = ids.fleetOperation.raw(input.fleetOperationId);
    const { rows } = await sql<Times>`
      select f.created_at, f.started_at, case when f.completed_at is not null then (
        select greatest(f.completed_at, max(o.completed_at)) from device_operations o where o.fleet_operation_id = f.fleet_operation_id and o.started_at is not null
      ) end as until from fleet_operations f where f.fleet_operation_id = ${operationId}`.execute(tx);
    const { created_at: createdAt, started_at: startedAt, until } = rows[0] ?? {};
    if (startedAt === undefined || startedAt === null)
      return {
        from: createdAt ?? now.toISOString(),
        stepSeconds: 1,
        succeeded: [],
        failed: [],
        timedOut: [],
      };
    const lengthMs = Math.max(
      1,
      (until === null || until === undefined ? now.getTime() : Date.parse(until)) - Date.parse(startedAt),
    );
    const stepSeconds = stepSecondsOf(lengthMs / 1000);
    const steps = Math.max(1, Math.ceil(lengthMs / 1000 / stepSeconds));
    const { rows: ended } = await sql<Ended>`
      select greatest(0, least(${steps - 1}, floor(extract(epoch from completed_at - ${startedAt}::timestamptz) / ${stepSeconds})))::int as step,
        count(*) filter (where status = 'Succeeded') as succeeded, count(*) filter (where status = 'Failed') as failed,
        count(*) filter (where status = 'TimedOut') as timed_out
      from device_operations where fleet_operation_id = ${operationId} and started_at is not null and completed_at is not null
      group by 1`.execute(tx);
    const counts = (of: (row: Ended) => number): number[] => {
      const all = Array<number>(steps).fill(0);
      for (const row of ended) all[row.step] = of(row);
      return all;
    };
    return {
      from: startedAt,
      stepSeconds,
      succeeded: counts(({ succeeded }) => succeeded),
      failed: counts(({ failed }) => failed),
      timedOut: counts(({ timed_out: timedOut }) => timedOut),
    };
  },
};
