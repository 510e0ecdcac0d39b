import { randomBytes } from 'node:crypto';
import {
  ActionError,
  type Actor,
  announcedProperty,
  type EventName,
  type Id,
  ids,
  type Json,
  rotationDefaults,
  rotationProperty,
} from '@corral/contract';
import { newRawId } from '../../../auth/random.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { overDeviceQuota } from '../../assets/index.ts';
import { endForeign } from '../sql/accepted-certificates.ts';
import {
  addAnnounced,
  hasCertificate,
  insertWindows,
  isOfAnyOther,
  lockRunningRotation,
  recordAnnouncement,
  recordRefusedAnnouncement,
  type RunningRotation,
} from '../sql/certificate-rotations.ts';
import { trimCertificates } from '../sql/certificates.ts';
import type { DeviceChange } from '../sql/change-previews.ts';
import { lockDevice, lockDevices } from '../sql/device-properties.ts';
import { announcedFingerprint } from './announced-certificate.ts';
import type { ChangeContext, DeviceOutcome, DeviceTarget } from './device-changes.ts';
import { setProperty } from './property-writes.ts';

/** Part of a call that announces what happened. */
export interface Emitting {
  readonly emit: (name: EventName, data: Readonly<Record<string, Json>>) => unknown;
}

/** The parts of a call by which a device announces a certificate. */
interface Announcing extends Emitting {
  readonly tx: Database;
  readonly now: Date;
  readonly input: { readonly deviceId: string; readonly value: Json };
}

const theHub: Actor = { actor: 'System', kind: 'System' };

type Rotation = Extract<DeviceChange, { kind: 'RotateCertificates' }>;

/** Opens windows in which devices may replace their certificates; each finds it in a property. */
export async function openWindows(
  context: ChangeContext,
  { graceSecs, windowSecs, reason }: Rotation,
  targets: readonly DeviceTarget[],
): Promise<ReadonlyMap<string, DeviceOutcome>> {
  const { tx, now, projectId, actor = theHub } = context;
  const until = new Date(now.getTime() + (windowSecs ?? rotationDefaults.windowSecs) * 1000);
  const outcomes = new Map<string, DeviceOutcome>();
  const windows: { deviceId: string; nonce: string }[] = [];
  await lockDevices(
    tx,
    targets.map(({ deviceId }) => deviceId),
  );
  for (const { deviceId } of targets) {
    const nonce = randomBytes(24).toString('base64url');
    const offered = { nonce, until: until.toISOString(), deviceId: ids.device.of(deviceId) };
    const problem = await offer(context, deviceId, offered);
    if (problem === undefined) windows.push({ deviceId, nonce });
    outcomes.set(deviceId, problem === undefined ? { before: null, after: null } : { problem });
  }
  const rest = { graceSecs: graceSecs ?? rotationDefaults.graceSecs, reason, startedBy: actor };
  await insertWindows(tx, windows, { ...rest, projectId, now, until });
  for (const { deviceId } of windows)
    emitRotation(context, 'Started', { projectId, deviceId }, reason === undefined ? {} : { reason });
  return outcomes;
}

async function offer(
  { tx, now, emit, projectId, actor = theHub }: ChangeContext,
  deviceId: string,
  value: { readonly nonce: string; readonly until: string; readonly deviceId: string },
): Promise<ActionError | undefined> {
  const running = await lockRunningRotation(tx, deviceId);
  if (running?.state === 'Arrived')
    return new ActionError(
      'Invalid',
      'Its certificate was replaced just now, and the old one still has its time of grace.',
    );
  const change = {
    projectId,
    deviceId,
    name: rotationProperty,
    value: JSON.stringify(value),
    isProtected: true,
    byDevice: false,
    actor,
  };
  const outcome = await setProperty({ tx, now, emit }, change);
  if (outcome === 'Written') return undefined;
  if (typeof outcome === 'object' && 'quotaBytes' in outcome) return overDeviceQuota(outcome.quotaBytes);
  return new ActionError(
    'Invalid',
    'The device has too many properties for the one that tells it of the rotation.',
  );
}

/** A device by raw ids. */
export interface DevicePlace {
  readonly projectId: string;
  readonly deviceId: string;
}

/** Announces a step of a rotation. */
export function emitRotation(
  { emit }: Emitting,
  step: 'Started' | 'Announced' | 'Arrived' | 'Completed' | 'RolledBack' | 'Expired' | 'Cancelled',
  { projectId, deviceId }: DevicePlace,
  data: Readonly<Record<string, Json>> = {},
): void {
  emit(`devices_CertificateRotation${step}`, {
    projectId: ids.project.of(projectId),
    deviceId: ids.device.of(deviceId),
    ...data,
  });
}

/** Whether a write by a device announces a certificate. */
export const isAnnouncement = ({
  name,
  byDevice,
}: {
  readonly name: string;
  readonly byDevice: boolean;
}): boolean => byDevice && name === announcedProperty;

/** Takes the certificate that a device announces over its old one; returns why not. */
export async function takeAnnouncement(
  context: Announcing,
  place: DevicePlace,
): Promise<ActionError | undefined> {
  const { tx } = context;
  await lockDevice(tx, place.deviceId);
  const running = await lockRunningRotation(tx, place.deviceId);
  try {
    await announce(context, place, running);
    return undefined;
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    if (running !== undefined) await recordRefusedAnnouncement(tx, running.rotationId, error.message);
    return error;
  }
}

const noWindow = (): ActionError =>
  new ActionError(
    'Invalid',
    'This device may not replace its certificate now: an owner of its project opens a window for it first.',
  );

async function announce(
  context: Announcing,
  place: DevicePlace,
  running: RunningRotation | undefined,
): Promise<void> {
  const { tx, now, input } = context;
  if (running === undefined) throw noWindow();
  const deviceId = input.deviceId as Id<'device'>;
  const fingerprint = announcedFingerprint(input.value, { nonce: running.nonce, deviceId, now });
  // Told again, because the answer was lost.
  const isOpen = running.state !== 'Arrived' && Date.parse(running.until) > now.getTime();
  if (!isOpen) {
    if (await isAnnounced(context, running, fingerprint)) return;
    throw noWindow();
  }
  if (await isOfAnyOther(tx, place.deviceId, fingerprint))
    throw new ActionError(
      'Invalid',
      'The new certificate is that of another device. Make one with a key of its own.',
    );
  // A refusal is kept, so there is room before anything is added.
  if (!(await hasCertificate(tx, place.deviceId, fingerprint)))
    for (const rawId of await trimCertificates(tx, place.deviceId, undefined, now))
      emitCertificate(context, 'devices_CertificateDeleted', place, rawId);
  const given = { deviceId: place.deviceId, certificateId: newRawId(), fingerprint };
  const added = await addAnnounced(tx, { ...given, announcedBefore: running.certificateId }, now);
  if (added === undefined)
    throw new ActionError('Invalid', 'The device has or had this certificate already. Make a new one.');
  await endForeign(tx, [added.certificateId], now);
  if (added.certificateId === running.certificateId) return;
  await recordAnnouncement(tx, running.rotationId, added.certificateId, now);
  announceCertificate(context, place, added);
}

async function isAnnounced(
  { tx }: Pick<Announcing, 'tx'>,
  { certificateId }: RunningRotation,
  fingerprint: string,
): Promise<boolean> {
  const row = await tx
    .selectFrom('device_certificates')
    .select('certificate_id')
    .where('certificate_id', '=', certificateId ?? '')
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  return row !== undefined;
}

function announceCertificate(
  context: Emitting,
  place: DevicePlace,
  { certificateId, isNew }: { readonly certificateId: string; readonly isNew: boolean },
): void {
  const name = isNew ? 'devices_CertificateAdded' : 'devices_CertificateStatusChanged';
  emitCertificate(context, name, place, certificateId, { status: 'Active' });
  emitRotation(context, 'Announced', place, { certificateId: ids.deviceCertificate.of(certificateId) });
}

/** Announces what happened to a certificate, by raw ids. */
export function emitCertificate(
  { emit }: Emitting,
  name: `devices_Certificate${'Added' | 'StatusChanged' | 'Deleted' | 'Issued'}`,
  { projectId, deviceId }: DevicePlace,
  certificateId: string,
  data: Readonly<Record<string, Json>> = {},
): void {
  emit(name, {
    projectId: ids.project.of(projectId),
    deviceId: ids.device.of(deviceId),
    certificateId: ids.deviceCertificate.of(certificateId),
    ...data,
  });
}
