import {
  ActionError,
  characterCount,
  eventOffsetMs,
  ids,
  maxNameCharacters,
  type DeviceEvent,
  type Json,
} from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustSeeDevice } from '../../projects/index.ts';
import { isSmallJson, jsonWithin } from '../../../calls/sizes.ts';
import { insertEvents, storedEventIds, type EventColumns, type StoredEvents } from '../sql/device-events.ts';
import { monthOfId, storageMonths } from '../sql/event-months.ts';

const maxKib = 64;
const dayMs = 86_400_000;

/**
 * Stores events of a device in one statement, which also looks up the device; known event ids are ignored. Ids that are dated before last month or more than a day ahead are
 * looked up before, since the month that such an event is stored in depends on when it arrives.
 */
export const PublishDeviceEvents: Handler<'devices_PublishDeviceEvents', void, boolean> = {
  // The authorization of a person takes a statement, and the rows of a large publication take longer than a bulk statement may.
  prepare: async ({ actor, input }) =>
    actor.actor === 'Device' && isSmallJson(input.events as unknown as Json),
  isOneStatement: (isSmallOfDevice) => isSmallOfDevice,
  isBulk: true,

  async authorize({ tx, actor, input }) {
    if (actor.actor !== 'Device') await mustSeeDevice(tx, actor, input.deviceId);
    else if (actor.deviceId !== input.deviceId) throw notFound('Device');
  },

  async run({ tx, input, now, emit }) {
    const deviceId = ids.device.raw(input.deviceId);
    const monthOf = storageMonths(now);
    const events = await withoutStored(tx, deviceId, input.events, monthOf);
    const stored = await storeWithinQuota(tx, deviceId, columnsOf(events, now, monthOf), now);
    if (stored.count > 0)
      emit('devices_EventsPublished', {
        projectId: ids.project.of(stored.projectId),
        deviceId: input.deviceId,
        count: stored.count,
      });
    return {};
  },
};

/** Stores the events that are new. Those that a device sends again, since the answer was lost, are not refused when the quota is used up. */
async function storeWithinQuota(
  tx: Database,
  deviceId: string,
  events: EventColumns,
  now: Date,
): Promise<StoredEvents> {
  const stored = await insertEvents(tx, deviceId, events, now);
  if (stored === undefined) throw notFound('Device');
  if (stored.isWithinQuota) return stored;
  const known = await storedEventIds(tx, deviceId, events.ids);
  if (known.size === 0) throw overQuota(now);
  const fresh = withoutIds(events, known);
  if (fresh.ids.length === 0) return stored;
  const rest = await insertEvents(tx, deviceId, fresh, now);
  if (rest === undefined) throw notFound('Device');
  if (!rest.isWithinQuota) throw overQuota(now);
  return rest;
}

function withoutIds(events: EventColumns, known: ReadonlySet<string>): EventColumns {
  const isFresh = events.ids.map((id) => !known.has(id));
  const rest = <Value>(values: Value[]) => values.filter((_, index) => isFresh[index]);
  return {
    ids: rest(events.ids),
    months: rest(events.months),
    categories: rest(events.categories),
    severities: rest(events.severities),
    bodies: rest(events.bodies),
    attributes: rest(events.attributes),
    emittedAt: rest(events.emittedAt),
    deviceTimes: rest(events.deviceTimes),
  };
}

/** The device keeps its events and sends them on the next day. */
function overQuota(now: Date): ActionError {
  return new ActionError(
    'Throttled',
    'This device has sent as many events as it may today. An administrator can allow more in the settings.',
    { retryAfterSecs: Math.ceil((dayMs - (now.getTime() % dayMs)) / 1000) },
  );
}

/** The unique key of the table contains the month, so it keeps out the second copy of an event only within a month. */
async function withoutStored(
  tx: Database,
  deviceId: string,
  events: DeviceEvent[],
  monthOf: (rawId: string) => number,
): Promise<DeviceEvent[]> {
  const misdated = events
    .map(({ eventId }) => ids.deviceEvent.raw(eventId))
    .filter((rawId) => monthOfId(rawId) !== monthOf(rawId));
  if (misdated.length === 0) return events;
  const stored = await storedEventIds(tx, deviceId, misdated);
  return events.filter(({ eventId }) => !stored.has(ids.deviceEvent.raw(eventId)));
}

function columnsOf(events: DeviceEvent[], now: Date, monthOf: (rawId: string) => number): EventColumns {
  const rawIds = events.map(({ eventId }) => ids.deviceEvent.raw(eventId));
  const documents = events.map(documentsOf);
  const receivedAt = now.toISOString();
  const isMisdated = events.map(({ emittedAt }) => eventOffsetMs({ emittedAt, receivedAt }) !== 0);
  return {
    ids: rawIds,
    months: rawIds.map(monthOf),
    categories: events.map(categoryOf),
    severities: events.map(({ severity }) => severity),
    bodies: documents.map(({ body }) => body),
    attributes: documents.map(({ attributes }) => attributes),
    // Those of a wrong clock keep the order in which they were sent, by microseconds.
    emittedAt: events.map(({ emittedAt }, index) =>
      isMisdated[index] ? receivedAt.replace('Z', `${String(index).padStart(3, '0')}Z`) : emittedAt,
    ),
    deviceTimes: events.map(({ emittedAt }, index) => (isMisdated[index] ? emittedAt : null)),
  };
}

function documentsOf({ body, attributes }: DeviceEvent): { body: string; attributes: string } {
  const what = 'Body and attributes of an event';
  const bodyText = jsonWithin(maxKib, what, body);
  return { body: bodyText, attributes: jsonWithin(maxKib, what, attributes, Buffer.byteLength(bodyText)) };
}

function categoryOf({ category }: DeviceEvent): string | null {
  if (category !== undefined && characterCount(category) > maxNameCharacters)
    throw new ActionError(
      'Invalid',
      `The category of an event may have at most ${maxNameCharacters} characters.`,
    );
  return category ?? null;
}
