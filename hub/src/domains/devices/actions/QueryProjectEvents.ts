import { ids, projectEventFields } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';
import { mustSeeProject, type ProjectAccess } from '../../projects/index.ts';
import { eventOutput, projectEventOrder, readEventsOfProject } from '../sql/device-events.ts';
import { eventFilterSql } from '../sql/filters/event-filter.ts';

/** Lists the events of all devices of a project, newest first. */
export const QueryProjectEvents: Handler<'projects_QueryProjectEvents', ProjectAccess> = {
  authorize: ({ tx, actor, input }) => mustSeeProject(tx, actor, input.projectId),

  async run({ tx, input, now }, { projectId }) {
    const passes = eventFilterSql(input.filter, now, projectEventFields);
    const { items, more } = await readPage(projectEventOrder, input, {
      scope: filteredScope(projectId, input.filter),
      read: (slice) => readEventsOfProject(tx, projectId, passes, slice),
      toItem: (row) =>
        Object.assign(eventOutput(row), {
          deviceId: ids.device.of(row.device_id),
          ...(row.device_name === null ? {} : { deviceName: row.device_name }),
        }),
    });
    return { events: items, ...more };
  },
};
