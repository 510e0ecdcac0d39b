import { FilterError } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { readDeviceFilter } from '../../devices/index.ts';
import { readActiveMutes } from './mutes.ts';

interface MutedRule {
  /** Raw, as the next. */
  readonly ruleId: string;
  readonly projectId: string | null;
}

/** SQL for whether an alert `a` of a rule is muted. A filter that names what is no more mutes nothing. */
export async function isMuted(
  tx: Database,
  { ruleId, projectId }: MutedRule,
  { now, db }: { readonly now: Date; readonly db: Database },
): Promise<RawBuilder<boolean>> {
  const mutes = (await readActiveMutes(tx, projectId, now)).filter(
    (mute) => mute.ruleId === null || mute.ruleId === ruleId,
  );
  const conditions: RawBuilder<boolean>[] = [];
  for (const { deviceId, filter } of mutes) {
    const isOfDevice = deviceId === null ? sql<boolean>`true` : sql<boolean>`a.subject = ${deviceId}`;
    const fits =
      filter === null || projectId === null
        ? sql<boolean>`${filter === null}`
        : await fitsSql(tx, filter, { projectId, now, db });
    conditions.push(sql<boolean>`(${isOfDevice} and ${fits})`);
  }
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

async function fitsSql(
  tx: Database,
  text: string,
  of: { readonly projectId: string; readonly now: Date; readonly db: Database },
): Promise<RawBuilder<boolean>> {
  try {
    const filter = await readDeviceFilter(tx, text, of);
    return sql<boolean>`a.subject in (select d.device_id from devices d where d.project_id = ${of.projectId} and ${filter?.inSets ?? sql`true`})`;
  } catch (error) {
    if (error instanceof FilterError) return sql<boolean>`false`;
    throw error;
  }
}
