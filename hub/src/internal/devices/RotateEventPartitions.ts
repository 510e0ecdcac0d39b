import type { CallContext } from '../../executor/handler.ts';
import type { Internal } from '../../executor/internal.ts';
import { clearDefaultPartition } from '../../store/default-event-partition.ts';
import { dropOldEventPartitions, ensureEventPartitions } from '../../store/event-partitions.ts';
import { readSetting } from '../../store/instance-settings.ts';
import { settingsOfRecentNodes } from '../../store/node-settings.ts';

const key = 'eventRetentionMonths';

/**
 * Creates the partitions of last, this and next month. If a retention is given, also drops those past the longest retention of the nodes of the last hour, and clears the default
 * partition.
 */
export const RotateEventPartitions: Internal<{ retentionMonths?: number }, void> = {
  name: 'devices_RotateEventPartitions',
  // Each partition is created in a transaction of its own, so that writers wait for one at a time.
  isOneStatement: () => true,

  async run(context) {
    const { tx, input, now } = context;
    await ensureEventPartitions(tx, now);
    if (input.retentionMonths === undefined) return;
    const months = await longestRetention(context, input.retentionMonths);
    await dropOldEventPartitions(tx, now, months);
    await clearDefaultPartition(tx, now, months);
  },
};

/**
 * The longest retention of the nodes of the last hour, and of the calling one: a node whose configuration lacks the setting must not drop what another one keeps. A node whose
 * configuration does not set it has what administrators have set, or else the default.
 */
async function longestRetention(
  { tx, now, settings }: CallContext<{ retentionMonths?: number }>,
  own: number,
): Promise<number> {
  const recent = await settingsOfRecentNodes(tx, now);
  const unset = (await readSetting(tx, key)) ?? settings.get(key)?.fallback ?? own;
  return Math.max(own, ...recent.map(({ eventRetentionMonths }) => eventRetentionMonths ?? Number(unset)));
}
