import { ids, timelineKinds } from '@corral/contract';
import type { Handler } from '../../../calls/handler.ts';
import { filteredScope, readPage } from '../../../platform/db/paging/read-page.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { entryOf, sourcesOfKind } from '../policy/timeline-entries.ts';
import { countTimeline, readTimeline, timelineNewestFirst } from '../sql/timeline.ts';

/** Lists what has happened to a device, newest first. */
export const QueryTimeline: Handler<'devices_QueryTimeline'> = {
  authorize: ({ tx, actor, input }) => mustHaveDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input, now }) {
    const deviceId = ids.device.raw(input.deviceId);
    const { kinds = timelineKinds, before } = input;
    const sources = kinds.flatMap((kind) => sourcesOfKind[kind]);
    const { items, more } = await readPage(timelineNewestFirst, input, {
      scope: filteredScope(deviceId, `${sources.join()} ${before ?? ''}`),
      read: (slice) => readTimeline(tx, { deviceId, sources, before }, slice, now),
      toItem: entryOf,
    });
    if (input.after !== undefined) return { entries: items, ...more };
    const counted = await countTimeline(tx, deviceId, now);
    const counts = timelineKinds.map((kind) => ({
      kind,
      count: sourcesOfKind[kind].reduce((sum, source) => sum + (counted.get(source) ?? 0), 0),
    }));
    return { entries: items, counts, ...more };
  },
};
