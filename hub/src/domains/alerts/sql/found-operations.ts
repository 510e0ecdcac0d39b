import { sql, type RawBuilder } from 'kysely';

/** So long an operation that has failed is found. */
const dayMs = 86_400_000;

/** SQL of the operations of a project that the hub paused, or in which this share of the devices failed within the last day. One that is tried again has not ended. */
export function foundOperations(
  { projectId, now }: { readonly projectId: string; readonly now: Date },
  percent: number,
): RawBuilder<unknown> {
  const count = (field: string) => sql`coalesce((f.final_counts ->> ${sql.lit(field)})::bigint, 0)`;
  const failures = sql`(${count('failed')} + ${count('timedOut')} - ${count('notDelivered')})`;
  return sql`
    select f.fleet_operation_id as subject, f.name, coalesce(least(f.completed_at, ${now}), ${now}::timestamptz) as since,
      ${now}::timestamptz as fires_at, null::timestamptz as seen_at
    from fleet_operations f where f.project_id = ${projectId} and (
      (f.status = 'Paused' and f.pause_reason is not null)
      or (f.status in ('Completed', 'Failed') and f.completed_at > ${new Date(now.getTime() - dayMs)}
        and ${count('total')} > 0 and ${failures} * 100 >= ${percent}::int * ${count('total')}))`;
}
