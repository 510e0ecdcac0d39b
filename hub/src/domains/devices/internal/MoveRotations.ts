import { rotationProperty } from '@corral/contract';
import { type Internal, systemCaller } from '../../../calls/handler.ts';
import { emitCertificate, emitRotation } from '../policy/certificate-rotation.ts';
import { unsetProperty } from '../policy/property-writes.ts';
import {
  type DueRotation,
  endRotation,
  findDueRotations,
  readDueRotations,
  recordArrivals,
  revokeOld,
} from '../sql/certificate-rotations.ts';
import { lockDevices } from '../sql/device-properties.ts';

/** So many rotations go on in one transaction: fewer would read all that are due more often. */
const movedAtOnce = 1_000;

type Context = Parameters<typeof MoveRotations.run>[0];

/** Moves rotations of certificates on: devices have come with their new ones, the time of grace of old ones is over, windows have closed. */
export const MoveRotations: Internal<void, { readonly isMore: boolean }> = {
  name: 'devices_MoveCertificateRotations',

  async run(context) {
    const { tx, now } = context;
    const deviceIds = await findDueRotations(tx, now, movedAtOnce);
    if (deviceIds.length === 0) return { isMore: false };
    // Whoever writes a rotation locks its device first.
    await lockDevices(tx, deviceIds);
    const due = Object.groupBy(await readDueRotations(tx, deviceIds, now), ({ next }) => next);
    await complete(context, due.Completed ?? []);
    await arrive(context, due.Arrived ?? []);
    for (const rotation of due.RolledBack ?? []) await end(context, rotation, 'RolledBack');
    for (const rotation of due.Expired ?? []) await end(context, rotation, 'Expired');
    return { isMore: deviceIds.length === movedAtOnce };
  },
};

async function complete(context: Context, rotations: readonly DueRotation[]): Promise<void> {
  if (rotations.length === 0) return;
  const { tx, now } = context;
  const projectOf = new Map(rotations.map(({ deviceId, projectId }) => [deviceId, projectId]));
  const revoked = await revokeOld(
    tx,
    rotations.map(({ rotationId }) => rotationId),
    now,
  );
  for (const { certificateId, deviceId } of revoked)
    emitCertificate(
      context,
      'devices_CertificateStatusChanged',
      { deviceId, projectId: projectOf.get(deviceId) ?? '' },
      certificateId,
      { status: 'Revoked' },
    );
  for (const rotation of rotations) emitRotation(context, 'Completed', rotation);
}

async function arrive(context: Context, rotations: readonly DueRotation[]): Promise<void> {
  if (rotations.length === 0) return;
  await recordArrivals(
    context.tx,
    rotations.map(({ rotationId }) => rotationId),
    context.now,
  );
  for (const rotation of rotations) {
    await withdraw(context, rotation);
    emitRotation(context, 'Arrived', rotation);
  }
}

async function end(context: Context, rotation: DueRotation, state: 'RolledBack' | 'Expired'): Promise<void> {
  await endRotation(context.tx, rotation.rotationId, state, context.now);
  await withdraw(context, rotation);
  emitRotation(context, state, rotation);
}

/** Removes what tells the device that it may replace its certificate. */
async function withdraw({ tx, now, emit }: Context, { projectId, deviceId }: DueRotation): Promise<void> {
  const { actor } = systemCaller;
  await unsetProperty({ tx, now, emit }, { projectId, deviceId, name: rotationProperty, actor });
}
