import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { newDatedRawId } from '../src/auth/random.ts';
import type { FreshExecutor } from './fresh-executor.ts';
import type { SeededProject } from './seed.ts';

/** A rule of a project, an alert of it that fires for a device, and a mute of that device. */
export async function seedAlert(
  hub: FreshExecutor,
  { projectId, owner }: SeededProject,
  deviceId: Id<'device'>,
) {
  const now = hub.now();
  const { ruleId } = await hub.as(owner, 'alerts_CreateRule', {
    projectId,
    name: 'x',
    condition: { kind: 'Offline', forSecs: 60 },
    severity: 'Warning',
    channels: { mails: 'None' },
  });
  const alertId = newDatedRawId(now);
  await sql`
    insert into alerts (alert_id, rule_id, subject, subject_name, state, since, fired_at)
    values (${alertId}, ${ids.alertRule.raw(ruleId)}, ${ids.device.raw(deviceId)}, 'x', 'Firing', ${now}, ${now})`.execute(
    hub.database.db,
  );
  const until = new Date(now.getTime() + 3_600_000).toISOString();
  const { muteId } = await hub.as(owner, 'alerts_Mute', { projectId, deviceId, until });
  return { alertRule: ruleId, alert: ids.alert.of(alertId), alertMute: muteId };
}
