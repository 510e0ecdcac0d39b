import {
  ActionError,
  type Actor,
  type EventName,
  ids,
  isLongInteger,
  type Json,
  labelNameProblem,
  labelValueProblem,
  nameProblem,
  problemMessages,
} from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import { mustHaveNoProblem } from '../../../auth/input-problems.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { overDeviceQuota } from '../../assets/index.ts';
import { acceptCertificates } from '../sql/certificates.ts';
import { deleteDevices } from '../sql/device-deletion.ts';
import { lockNames, writeNames } from '../sql/device-names.ts';
import {
  type FoundMetadata,
  leaveToReports,
  lockMetadata,
  maxMetadataKib,
  writeLabels,
} from '../sql/metadata.ts';

/** Where devices are changed, and for whom. */
export interface ChangeContext {
  readonly tx: Database;
  readonly now: Date;
  readonly emit: (name: EventName, data: Readonly<Record<string, Json>>, actor?: Actor) => unknown;
  /** The raw id of the project of the devices. */
  readonly projectId: string;
  /** For whom the hub does it; undefined for the caller. */
  readonly actor?: Actor | undefined;
}

/** A device, by its raw id, and what it gets: null for nothing. */
export interface DeviceTarget {
  readonly deviceId: string;
  readonly given: Json;
  /** What it must still have; undefined for anything. */
  readonly expected?: Json | undefined;
  /** Whether a label that is given comes from the device's own report, and not from a person. */
  readonly isReported?: boolean | undefined;
}

/** How it ended for a device: what it had and has, or why it was not changed. */
export type DeviceOutcome =
  | {
      readonly before: Json;
      readonly after: Json;
      /** Whether a label that it had came from its own report. */
      readonly wasReported?: boolean;
    }
  | { readonly problem: ActionError };

type Outcomes = Map<string, DeviceOutcome>;

/** Names devices; one without a name is given null. */
export async function setNames(context: ChangeContext, targets: readonly DeviceTarget[]): Promise<Outcomes> {
  const found = await lockNames(context.tx, context.projectId, idsOf(targets));
  const outcomes = new Map(targets.map((target) => [target.deviceId, nameOutcome(target, found)]));
  await writeNames(context.tx, afterOf(outcomes));
  for (const [deviceId, outcome] of outcomes)
    if ('after' in outcome) emitOf(context, 'devices_NameChanged', deviceId, { name: outcome.after });
  return outcomes;
}

function nameOutcome(
  { deviceId, given, expected }: DeviceTarget,
  found: ReadonlyMap<string, string | null>,
): DeviceOutcome {
  const before = found.get(deviceId);
  if (before === undefined) return { problem: notFound('Device') };
  if (expected !== undefined && expected !== before) return { problem: changedSince(before) };
  const name = typeof given === 'string' ? given.trim().normalize() : '';
  const problem = nameProblem(name, 'deviceName');
  if (problem !== undefined) return { problem: new ActionError('Invalid', problemMessages[problem]) };
  return { before, after: name || null };
}

/** Sets one label of devices, or removes it where null is given; the other keys of their metadata stay, also when others change them at the same time. */
export async function setLabels(
  context: ChangeContext,
  name: string,
  targets: readonly DeviceTarget[],
): Promise<Outcomes> {
  const { tx } = context;
  const found = await lockMetadata(tx, context.projectId, idsOf(targets), name);
  const outcomes: Outcomes = new Map();
  for (const target of targets) {
    const of = found.get(target.deviceId);
    outcomes.set(
      target.deviceId,
      of === undefined ? { problem: notFound('Device') } : labelOutcome(target, name, of),
    );
  }
  const changed = new Map(
    [...afterOf(outcomes)].filter(([id, after]) => !isEqual(after, found.get(id)?.before ?? null)),
  );
  const written = await writeLabels(tx, name, changed);
  const reported = targets.filter(
    ({ isReported, deviceId }) => isReported === true && written.get(deviceId) === 'Written',
  );
  if (reported.length > 0) await leaveToReports(tx, name, idsOf(reported));
  for (const [deviceId, after] of changed) {
    const outcome = written.get(deviceId);
    const before = found.get(deviceId)?.before ?? null;
    if (outcome === 'Written')
      emitOf(context, 'devices_LabelChanged', deviceId, { name, ...present({ before, after }) });
    else
      outcomes.set(deviceId, {
        problem: outcome === undefined ? notFound('Device') : overDeviceQuota(outcome.quotaBytes),
      });
  }
  return outcomes;
}

function labelOutcome(
  { given, expected }: DeviceTarget,
  name: string,
  { before, bytes, isReported: wasReported }: FoundMetadata,
): DeviceOutcome {
  if (typeof before === 'object' && before !== null && !isLongInteger(before))
    return {
      problem: new ActionError(
        'Invalid',
        `"${name}" is a list or an object on this device. Change it in the metadata of the device.`,
      ),
    };
  if (expected !== undefined && !isEqual(expected, before)) return { problem: changedSince(before) };
  const added =
    given === null || isEqual(given, before) ? 0 : Buffer.byteLength(JSON.stringify({ [name]: given }));
  if (added > 0 && bytes + added > maxMetadataKib * 1024)
    return {
      problem: new ActionError('Invalid', `The metadata of a device may have at most ${maxMetadataKib} KiB.`),
    };
  return { before, after: given, wasReported };
}

/** Deletes devices with all their data; gateways close their connections on the events. */
export async function deleteAll(context: ChangeContext, targets: readonly DeviceTarget[]): Promise<Outcomes> {
  const deleted = await deleteDevices(context.tx, context.projectId, idsOf(targets), context.now);
  for (const [deviceId, name] of deleted) emitOf(context, 'devices_Deleted', deviceId, present({ name }));
  return new Map(
    idsOf(targets).map((id) => [
      id,
      deleted.has(id) ? { before: null, after: null } : { problem: notFound('Device') },
    ]),
  );
}

/** Accepts those of these certificates that are pending in the project, and returns their devices by certificate, all by their raw ids. */
export async function acceptPending(
  context: ChangeContext,
  certificateIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const deviceOf = await acceptCertificates(context.tx, context.projectId, certificateIds, context.now);
  for (const rawId of certificateIds) {
    const deviceId = deviceOf.get(rawId);
    if (deviceId === undefined) continue;
    const certificateId = ids.deviceCertificate.of(rawId);
    emitOf(context, 'devices_CertificateStatusChanged', deviceId, { certificateId, status: 'Active' });
  }
  return deviceOf;
}

/** The outcome for the only device; throws why it was not changed. */
export async function changeOne(
  changed: Promise<Outcomes>,
): Promise<Extract<DeviceOutcome, { before: Json }>> {
  const [outcome = { problem: notFound('Device') }] = (await changed).values();
  if ('problem' in outcome) throw outcome.problem;
  return outcome;
}

/** A label as it is stored. Throws an `ActionError` of kind Invalid for a name or a value that no label can have. */
export function labelOf<Value extends string | number | boolean | undefined>(
  name: string,
  value: Value,
): { readonly name: string; readonly value: Value } {
  mustHaveNoProblem(labelNameProblem(name));
  if (typeof value !== 'string') return { name: name.trim(), value };
  mustHaveNoProblem(labelValueProblem(value));
  return { name: name.trim(), value: value.trim() as Value };
}

/** Whether two values of labels are the same: an integer beyond the range of doubles is an object. */
function isEqual(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function changedSince(now: Json): ActionError {
  const is = now === null ? 'it has none now' : `it is ${JSON.stringify(now)} now`;
  return new ActionError('Invalid', `It was changed since: ${is}.`);
}

function idsOf(targets: readonly DeviceTarget[]): string[] {
  return targets.map(({ deviceId }) => deviceId);
}

function afterOf(outcomes: Outcomes): ReadonlyMap<string, Json> {
  return new Map(
    [...outcomes].flatMap(([id, outcome]) => ('after' in outcome ? [[id, outcome.after] as const] : [])),
  );
}

/** The fields that have a value. */
function present(fields: Readonly<Record<string, Json>>): Record<string, Json> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function emitOf(
  { emit, projectId, actor }: ChangeContext,
  event: EventName,
  deviceId: string,
  data: Readonly<Record<string, Json>>,
): void {
  emit(event, { projectId: ids.project.of(projectId), deviceId: ids.device.of(deviceId), ...data }, actor);
}
