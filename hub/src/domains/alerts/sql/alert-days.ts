import type { Output } from '@corral/contract';
import { sql } from 'kysely';
import { planEachTime, type Database } from '../../../platform/db/connect.ts';
import { ofPlace } from './rules.ts';

type Days = Output<'alerts_QueryAlertDays'>;

const dayMs = 86_400_000;
const dayCount = 30;

interface Row {
  readonly day: number;
  readonly severity: 'Info' | 'Warning' | 'Critical';
  readonly count: number;
}

/** Counts the alerts of a project, by its raw id, or of the instance, or those of one rule, by the day of UTC on which they fired. */
export async function countAlertDays(
  tx: Database,
  {
    projectId,
    ruleId,
    now,
  }: { readonly projectId: string | null; readonly ruleId: string | undefined; readonly now: Date },
): Promise<Days> {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  const from = new Date(today - (dayCount - 1) * dayMs);
  const { rows } = await sql<Row>`
    select floor(extract(epoch from a.fired_at - ${from}::timestamptz) / 86400)::int as day, r.severity, count(*)
    from alert_rules r join alerts a using (rule_id)
    where ${ofPlace(projectId)} and ${ruleId === undefined ? sql`true` : sql`r.rule_id = ${ruleId}`}
      and a.fired_at >= ${from} and a.fired_at < ${new Date(today + dayMs)} group by 1, 2 ${sql.raw(planEachTime)}`.execute(
    tx,
  );
  const days = Array.from({ length: dayCount }, () => ({ info: 0, warning: 0, critical: 0 }));
  const fields = { Info: 'info', Warning: 'warning', Critical: 'critical' } as const;
  for (const { day, severity, count } of rows) {
    const counts = days[day];
    if (counts !== undefined) counts[fields[severity]] = count;
  }
  return { from: from.toISOString(), days };
}
