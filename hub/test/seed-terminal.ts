import { ids, type Id } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { newDatedRawId } from '../src/auth/random.ts';
import type { FreshExecutor } from './fresh-executor.ts';
import type { SeededProject, Somebody } from './seed.ts';

/** Has the members of a project open terminals on a device, which is connected; somebody has one open, which is recorded. */
export async function seedTerminal(
  hub: FreshExecutor,
  { projectId, owner }: SeededProject,
  { deviceId, opener }: { readonly deviceId: Id<'device'>; readonly opener: Somebody },
): Promise<{ terminal: Id<'terminal'> }> {
  await hub.as(owner, 'projects_SetTerminalPolicy', {
    projectId,
    access: 'Members',
    isReasonNeeded: false,
    approval: 'None',
    recording: 'BestEffort',
    allowsTokens: true,
  });
  await hub.as(owner, 'devices_SetDeviceProperty', {
    deviceId,
    name: 'dev.nexigon.system.info',
    value: { agent: { config: { terminal: { enabled: true } } } },
  });
  const sessionId = newDatedRawId(hub.now());
  await sql`
    insert into terminal_sessions (session_id, project_id, device_id, opened_by, opener_id, state, approval, recording, opened_at, started_at, recorded_bytes)
    values (${sessionId}, ${ids.project.raw(projectId)}, ${ids.device.raw(deviceId)}, ${JSON.stringify(opener)}::jsonb, ${ids.user.raw(opener.userId)}, 'Open',
      'None', 'BestEffort', ${hub.now()}, ${hub.now()}, 1)`.execute(hub.database.db);
  return { terminal: ids.terminal.of(sessionId) };
}

/** SQL that adds a terminal of a device, by raw ids. */
export function terminalRow(
  { project, device }: { readonly project: string; readonly device: string },
  openedAt: Date,
): RawBuilder<unknown> {
  return sql`
    insert into terminal_sessions (session_id, project_id, device_id, opened_by, opener_id, state, approval, recording, opened_at)
    values (${newDatedRawId(new Date())}, ${project}, ${device}, '{"actor":"System","kind":"System"}', '', 'Open', 'None', 'BestEffort', ${openedAt})`;
}
