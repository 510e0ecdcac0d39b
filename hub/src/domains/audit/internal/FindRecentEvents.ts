import { ids } from '@corral/contract';
import type { Internal } from '../../../calls/handler.ts';
import { findEventsSince } from '../sql/audit-log.ts';

const recentMs = 120_000;

/** Returns the ids of the recent events with these names. Their transactions may have taken long: an event can appear among older ones. */
export const FindRecentEvents: Internal<{ names: readonly string[] }, { eventIds: readonly string[] }> = {
  name: 'audit_FindRecentEvents',
  isQuery: true,
  async run({ tx, input, now }) {
    const eventIds = await findEventsSince(tx, input.names, new Date(now.getTime() - recentMs));
    return { eventIds: eventIds.map(ids.auditEvent.of) };
  },
};
