import { ids, rotationDefaults, type Actor } from '@corral/contract';
import { newRawId } from '../../../auth/random.ts';
import { lockRunningRotation, recordAnnouncement } from '../sql/certificate-rotations.ts';
import { trimCertificates } from '../sql/certificates.ts';
import {
  addIssued,
  beginOwnRotation,
  deleteUnused,
  type IssuedCertificate,
} from '../sql/issued-certificates.ts';
import { emitCertificate, type DevicePlace, type Emitting } from './certificate-rotation.ts';
import type { Database } from '../../../platform/db/connect.ts';

interface Issuing extends Emitting {
  readonly tx: Database;
  readonly now: Date;
  readonly actor: Actor;
}

/** The part of the life of a certificate that the one before stays beside it, at most: it must have ended when the next one is due. */
const graceShare = 4;

/** Has a locked device rotate to a certificate that was issued to it, as if it had announced it; one that it was given before and never used goes. */
export async function rotateToIssued(
  context: Issuing,
  place: DevicePlace,
  issued: Omit<IssuedCertificate, 'certificateId' | 'deviceId'>,
): Promise<void> {
  const { tx, now, actor } = context;
  const running = await lockRunningRotation(tx, place.deviceId);
  const unused = running?.certificateId ?? undefined;
  if (unused !== undefined && (await deleteUnused(tx, unused)))
    emitCertificate(context, 'devices_CertificateDeleted', place, unused);
  for (const rawId of await trimCertificates(tx, place.deviceId, undefined, now))
    emitCertificate(context, 'devices_CertificateDeleted', place, rawId);
  const certificateId = newRawId();
  await addIssued(tx, { ...issued, certificateId, deviceId: place.deviceId }, now);
  const lifeSecs = (issued.endsAt.getTime() - now.getTime()) / 1000;
  const begun = {
    ...place,
    rotationId: newRawId(),
    startedBy: actor,
    until: new Date(now.getTime() + rotationDefaults.windowSecs * 1000),
    graceSecs: Math.min(rotationDefaults.graceSecs, Math.floor(lifeSecs / graceShare)),
  };
  await recordAnnouncement(tx, await beginOwnRotation(tx, begun, now), certificateId, now);
  emitCertificate(context, 'devices_CertificateAdded', place, certificateId, { status: 'Active' });
  emitCertificate(context, 'devices_CertificateIssued', place, certificateId, {
    authorityId: ids.certificateAuthority.of(issued.authorityId),
    endsAt: issued.endsAt.toISOString(),
  });
}
