import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { ofPlace } from './rules.ts';

/** Whether a rule is of a project, or of the instance; ids are raw. */
export async function isRuleOf(tx: Database, projectId: string | null, ruleId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from alert_rules r where r.rule_id = ${ruleId} and ${ofPlace(projectId)} for key share`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Whether a device is in a project; ids are raw. */
export async function isDeviceOf(tx: Database, projectId: string | null, deviceId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from devices d where d.device_id = ${deviceId} and d.project_id = ${projectId}`.execute(tx);
  return rows.length > 0;
}
