import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../executor/handler.ts';
import { canSeeProject } from '../../policy/projects.ts';

/** Lists the devices of all projects that the caller may see, newest first. */
export const QueryDevices: Handler<'devices_QueryDevices', ReturnType<typeof canSeeProject>> = {
  authorize: ({ actor }) => canSeeProject(actor),

  async run({ tx }, isVisible) {
    const { rows } = await sql<{ device_id: string; project_id: string }>`
      select d.device_id, d.project_id from devices d join projects p using (project_id)
      where ${isVisible} order by d.created_at desc, d.device_id`.execute(tx);
    const devices = rows.map((row) => ({
      deviceId: ids.device.of(row.device_id),
      projectId: ids.project.of(row.project_id),
    }));
    return { devices };
  },
};
