import { isDeepStrictEqual } from 'node:util';
import { type Actor, type EventName, ids, type Json } from '@corral/contract';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import {
  type ConditionalOutcome,
  lockDevice,
  type PropertyChange,
  type PropertyOutcome,
  readListedFields,
  writeProperty,
  writePropertyVersion,
} from '../sql/device-properties.ts';
import { type RemovalOutcome, removeProperty } from '../sql/removed-properties.ts';

/** The parts of a call with which a property is written and announced. */
interface PropertyTurn {
  readonly tx: Database;
  readonly now: Date;
  readonly emit: (name: EventName, data: Readonly<Record<string, Json>>) => unknown;
}

/** A property of a device of a project, by raw ids. */
interface PropertyName {
  readonly projectId: string;
  readonly deviceId: string;
  readonly name: string;
}

/** Writes a property of a device of a project, by raw ids, and announces it; with an expected version only where it has that one. */
export function setProperty(
  turn: PropertyTurn,
  change: PropertyChange & { readonly projectId: string },
  expectedVersion?: number,
): Promise<PropertyOutcome | ConditionalOutcome> {
  const { tx, now } = turn;
  return announced<PropertyOutcome | ConditionalOutcome>(turn, change, 'Written', () =>
    expectedVersion === undefined
      ? writeProperty(tx, change, amounts.properties.max, now)
      : writePropertyVersion(tx, change, expectedVersion, now),
  );
}

/** Removes a property of a device of a project, by raw ids, and announces it; the device is locked until the transaction ends. */
export async function unsetProperty(
  turn: PropertyTurn,
  property: PropertyName & { readonly actor: Actor },
): Promise<RemovalOutcome> {
  await lockDevice(turn.tx, property.deviceId);
  return announced(turn, property, 'Removed', () => removeProperty(turn.tx, property, turn.now));
}

async function announced<Outcome>(
  { tx, emit }: PropertyTurn,
  { projectId, deviceId, name }: PropertyName,
  done: Outcome,
  write: () => Promise<Outcome>,
): Promise<Outcome> {
  const listedBefore = await readListedFields(tx, deviceId, name);
  const outcome = await write();
  if (outcome !== done) return outcome;
  const of = { projectId: ids.project.of(projectId), deviceId: ids.device.of(deviceId) };
  emit('devices_PropertiesChanged', { ...of, name });
  if (!isDeepStrictEqual(listedBefore, await readListedFields(tx, deviceId, name)))
    emit('devices_ListedFieldsChanged', of);
  return outcome;
}
