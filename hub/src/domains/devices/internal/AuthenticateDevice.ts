import { ActionError, ids, type Actor, type ErrorReason, type Id } from '@corral/contract';
import { newRawId } from '../../../auth/random.ts';
import { hashSecret, isSecret, lookupKey } from '../../../auth/secret.ts';
import { Refusal } from '../../../calls/failures.ts';
import type { CallContext, Internal } from '../../../calls/handler.ts';
import { amounts } from '../../../limits/amounts.ts';
import { mustHaveRoomForDevice } from '../../assets/index.ts';
import { findSigner, type Signer } from '../../certificates/index.ts';
import { endForeign, recordSigner } from '../sql/accepted-certificates.ts';
import {
  addCertificateTo,
  type Credentials,
  enrolDevice,
  findCredentials,
  findCredentialsInBatch,
  hasAnotherDevice,
  measureEnrolmentLoad,
  type PresentedCredentials,
  recordTokenUse,
} from '../sql/admission.ts';
import { acceptCertificates, trimCertificates } from '../sql/certificates.ts';
import { lockDevice } from '../sql/device-properties.ts';
import { wasDeletedLately } from '../sql/deleted-identities.ts';
import { bindToken, takeFirstCertificate } from '../sql/one-device-tokens.ts';

/** The credentials that a device presents, found well-formed. */
interface Presented {
  readonly fingerprint: Id<'deviceFingerprint'>;
  readonly token: Id<'deploymentToken'>;
  /** Its fingerprint. */
  readonly certificate: string;
  readonly der?: Buffer;
}

interface AdmittedDevice {
  readonly projectId: Id<'project'>;
  readonly deviceId: Id<'device'>;
  readonly tokenId: Id<'deploymentTokenId'>;
  readonly fingerprintId: Id<'deviceFingerprintId'>;
  readonly certificateId: Id<'deviceCertificate'>;
  readonly actor: Extract<Actor, { actor: 'Device' }>;
}

type Context = CallContext<Presented>;
type Admission = Credentials & {
  deviceId: string;
  certificateId: string;
  status: NonNullable<Credentials['status']>;
};
/** What is known of a device, with who signed its certificate where that is new. */
type Found = Credentials & { readonly signer?: Signer | undefined };
/** The admission of a device with nothing new, as for nearly all reconnects; undefined for the others. */
type Known = Admission | undefined;

/**
 * Authenticates a device by token, fingerprint and certificate, and enrols new devices and certificates.
 * NotSignedIn for an unknown token or a wrong fingerprint, Forbidden for a certificate that is not active; new rows are kept in that case.
 */
export const AuthenticateDevice: Internal<Presented, AdmittedDevice, Known> = {
  name: 'devices_AuthenticateDevice',

  async prepare(context) {
    const found = checked(
      context,
      await findCredentialsInBatch(context.tx, { ...presentedCredentials(context), now: context.now }),
    );
    const isKnown = isAdmission(found) && !found.isUseStale && !isFirstUse(found);
    return isKnown && (await signerOf(context, found)) === undefined ? found : undefined;
  },

  isOneStatement: (known) => known !== undefined,

  async run(context, known) {
    const admission = known ?? (await admit(context));
    if (admission.isUseStale) await recordTokenUse(context.tx, admission.tokenId, context.now);
    if (admission.status === 'Pending' && (await isOfAnother(context, admission)))
      return new Refusal(refused('CertificatePending', sharedCertificate));
    if (admission.status !== 'Active')
      return new Refusal(refused(`Certificate${admission.status}`, refusals[admission.status]));
    const deviceId = ids.device.of(admission.deviceId);
    const tokenId = ids.deploymentTokenId.of(admission.tokenId);
    return {
      deviceId,
      projectId: ids.project.of(admission.projectId),
      tokenId,
      fingerprintId: ids.deviceFingerprintId.of(lookupKey(rawFingerprint(context))),
      certificateId: ids.deviceCertificate.of(admission.certificateId),
      actor: { actor: 'Device', kind: 'Device', deviceId, tokenId },
    };
  },
};

const refused = (kind: ErrorReason['kind'] & `Certificate${string}`, sentence: string): ActionError =>
  new ActionError('Forbidden', sentence, { reason: { kind } });

const refusals: Record<Exclude<Admission['status'], 'Active'>, string> = {
  Pending: 'The certificate of this device is pending: a member of its project must accept it first.',
  Rejected: 'The certificate of this device was rejected.',
  Revoked: 'The certificate of this device was revoked.',
  Ended:
    'The certificate of this device has ended. An owner of its project may accept it for another day, in which the agent gets a new one.',
};

const sharedCertificate =
  'The certificate of this device is pending, because another device of its project has the same one under another fingerprint. If this is that device, give its agent the lost file fingerprint back; ' +
  'if not, stop the agent, remove the files of its certificate and key, and start it again. Or a member of the project accepts it as it is.';

const rawFingerprint = ({ input }: Context): string => ids.deviceFingerprint.raw(input.fingerprint);

/** Looks up the credentials and enrols what is missing; retries when a concurrent connection of the device enrolled it first. */
async function admit(context: Context): Promise<Admission> {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const identified = await identify(context);
    if (!(await isForItsDevice(context, identified))) continue;
    const found = await withSigner(context, identified);
    if (isAdmission(found)) return known(context, found);
    // A token that has ended enrols nobody; devices that are known go on.
    if (found.deviceId === null && found.hasEnded) throw unusableToken(ended);
    await mustHaveRoom(context, found);
    const added =
      found.deviceId === null
        ? await enrol(context, await withoutDoubt(context, found))
        : await addCertificate(context, found, found.deviceId);
    if (added !== undefined) return added;
  }
  throw new ActionError('NotReady', 'The device is being changed. Try again in a moment.', {
    retryAfterSecs: 1,
  });
}

/** Who signed a certificate of which the hub does not know that yet. */
async function signerOf({ tx, input, now }: Context, found: Credentials): Promise<Signer | undefined> {
  const { projectId, maySignerBeFound } = found;
  if (input.der === undefined || !maySignerBeFound) return undefined;
  const deviceId = found.deviceId === null ? undefined : ids.device.of(found.deviceId);
  return findSigner(tx, { der: input.der, projectId, deviceId }, now);
}

/** A certificate that is not active is accepted for its signer, unless it is one that was deleted. */
async function withSigner(context: Context, found: Credentials): Promise<Found> {
  const signer = await signerOf(context, found);
  if (signer === undefined) return found;
  const isAccepted = found.status === 'Active' || found.status === 'Ended';
  const isDoubtful =
    !isAccepted &&
    (signer.isOfHub || (await wasDeleted(context, found)) || (await isOfAnother(context, found)));
  return isDoubtful ? found : { ...found, signer };
}

async function known(context: Context, found: Admission & Found): Promise<Admission> {
  const { tx, emit } = context;
  const { signer, certificateId, status } = found;
  if (signer !== undefined && (await recordSigner(tx, certificateId, signer))) {
    const accepted = { ...found, status: 'Active' } as const;
    if (status === 'Pending') emitCertificate(emit, 'devices_CertificateStatusChanged', accepted);
    return accepted;
  }
  return found.acceptsFirst ? withFirstCertificate(context, found) : found;
}

function isAdmission<Kind extends Credentials>(found: Kind): found is Kind & Admission {
  return found.certificateId !== null;
}

/** Whether the token is for one device, and bound to none, or has not seen its first certificate. */
const isFirstUse = ({ isForOne, boundTo, acceptsFirst }: Credentials): boolean =>
  acceptsFirst || (isForOne && boundTo === null);

/** Binds a token for one device to a known device that is the first; a new one is bound when it is enrolled. */
async function isForItsDevice({ tx }: Context, found: Credentials): Promise<boolean> {
  const { isForOne, boundTo, deviceId, tokenId } = found;
  if (!isForOne || deviceId === null) return true;
  // Its token is written below, and whoever deletes the device or pairs it again locks the device first.
  await lockDevice(tx, deviceId);
  return boundTo !== null || bindToken(tx, tokenId, deviceId);
}

/** The first certificate of a paired device is accepted, also when it was pending before; nothing revives one that was rejected or revoked, or has ended. */
async function withFirstCertificate(context: Context, found: Admission): Promise<Admission> {
  const { tx, now, emit } = context;
  if (found.status !== 'Active' && found.status !== 'Pending') return found;
  if (found.status === 'Pending' && (await isOfAnother(context, found))) return found;
  const isFirst = await takeFirstCertificate(tx, found.tokenId, now);
  if (!isFirst || found.status === 'Active') return found;
  const changed = await acceptCertificates(tx, found.projectId, [found.certificateId], now);
  if (!changed.has(found.certificateId)) return found;
  const accepted = { ...found, status: 'Active' } as const;
  emitCertificate(emit, 'devices_CertificateStatusChanged', accepted);
  return accepted;
}

/** Looks up the token and the fingerprint, and verifies both secrets. */
async function identify(context: Context): Promise<Credentials> {
  return checked(context, await findCredentials(context.tx, presentedCredentials(context), context.now));
}

function presentedCredentials(context: Context): PresentedCredentials {
  const { token, certificate } = context.input;
  const tokenId = lookupKey(ids.deploymentToken.raw(token));
  return { tokenId, fingerprintId: lookupKey(rawFingerprint(context)), certificate };
}

function checked(context: Context, found: Credentials | undefined): Credentials {
  if (found === undefined || !isSecret(ids.deploymentToken.raw(context.input.token), found.tokenHash))
    throw unusableToken('The deployment token is not known: it was deleted, or another hub made it.');
  if (found.fingerprintHash !== null && !isSecret(rawFingerprint(context), found.fingerprintHash))
    throw new ActionError(
      'NotSignedIn',
      'The fingerprint is not that of the device that is known by its id.',
    );
  if (found.boundTo !== null && found.boundTo !== found.deviceId) throw unusableToken(ofAnother);
  return found;
}

/** Said only to who has its secret. */
const ended =
  'The deployment token has ended: it has expired, or has enrolled as many devices as it may. Give the device another one.';

const ofAnother =
  'The deployment token is for another device. Pair this device, or give it a token of its own.';

const unusableToken = (sentence: string): ActionError =>
  new ActionError('NotSignedIn', sentence, { reason: { kind: 'TokenUnknown' } });

const windowSecs = 10;

/**
 * Limits a project to 10 enrolments a second, measured over 10 seconds, to 10 000 pending certificates, which hold up nobody whose certificate is accepted at once, and to its quota of
 * devices.
 */
async function mustHaveRoom({ tx, now }: Context, found: Found): Promise<void> {
  const since = new Date(now.getTime() - windowSecs * 1000);
  const { recent, pending } = await measureEnrolmentLoad(
    tx,
    found.projectId,
    since,
    amounts.pendingCertificates.max,
  );
  if (recent >= amounts.enrolments.max)
    throw new ActionError('Throttled', 'Too many new devices at once. Try again in a moment.', {
      retryAfterSecs: windowSecs,
    });
  if (pending >= amounts.pendingCertificates.max && statusOfNew(found) === 'Pending')
    throw new ActionError(
      'Invalid',
      'The project has too many pending certificates. Accept, reject or delete some of them first.',
    );
  if (found.deviceId === null) await mustHaveRoomForDevice(tx, found.projectId);
}

/** A token accepts no device by itself whose fingerprint or certificate was deleted lately, or whose certificate is that of another device. */
async function withoutDoubt(context: Context, found: Found): Promise<Found> {
  const isDoubtful =
    (found.autoAccept && (await wasDeleted(context, found))) ||
    ((found.autoAccept || found.acceptsFirst) && (await isOfAnother(context, found)));
  return isDoubtful ? { ...found, autoAccept: false, acceptsFirst: false } : found;
}

function wasDeleted(context: Context, { projectId }: Credentials): Promise<boolean> {
  const { tx, input, now } = context;
  return wasDeletedLately(tx, projectId, [lookupKey(rawFingerprint(context)), input.certificate], now);
}

function isOfAnother(context: Context, { projectId }: Credentials): Promise<boolean> {
  const { tx, input } = context;
  return hasAnotherDevice(tx, projectId, lookupKey(rawFingerprint(context)), input.certificate);
}

/** Only the first certificate of a device is accepted by its token, and that of a paired device in time; one of an authority of the project always is. */
function statusOfNew({ deviceId, autoAccept, acceptsFirst, signer }: Found): 'Active' | 'Pending' {
  return signer !== undefined || acceptsFirst || (deviceId === null && autoAccept) ? 'Active' : 'Pending';
}

async function enrol(context: Context, found: Found): Promise<Admission | undefined> {
  const { tx, input, origin, now, emit } = context;
  const fingerprint = rawFingerprint(context);
  const enrolment = {
    deviceId: newRawId(),
    fingerprintId: lookupKey(fingerprint),
    fingerprintHash: hashSecret(fingerprint),
    certificateId: newRawId(),
    certificate: input.certificate,
    status: statusOfNew(found),
    address: origin.ip,
    signer: found.signer,
  };
  if (!(await enrolDevice(tx, found.tokenId, enrolment, now))) return undefined;
  await endForeign(tx, [enrolment.certificateId], now);
  const admission = { ...found, ...enrolment };
  const deviceId = ids.device.of(admission.deviceId);
  emit('devices_Created', { deviceId, projectId: ids.project.of(admission.projectId) });
  emitCertificate(emit, 'devices_CertificateAdded', admission);
  return admission;
}

async function addCertificate(
  context: Context,
  found: Found,
  deviceId: string,
): Promise<Admission | undefined> {
  const { tx, input, origin, now, emit } = context;
  const certificateId = newRawId();
  const isFirst =
    found.acceptsFirst &&
    !(await isOfAnother(context, found)) &&
    (await takeFirstCertificate(tx, found.tokenId, now));
  const status = isFirst || found.signer !== undefined ? 'Active' : 'Pending';
  const added = {
    deviceId,
    certificateId,
    certificate: input.certificate,
    status,
    address: origin.ip,
    signer: found.signer,
    tokenId: found.tokenId,
  } as const;
  if (!(await addCertificateTo(tx, added, now))) return undefined;
  await endForeign(tx, [certificateId], now);
  const admission = { ...found, deviceId, certificateId, status } as const;
  emitCertificate(emit, 'devices_CertificateAdded', admission);
  for (const rawId of await trimCertificates(tx, deviceId, certificateId, now))
    emit('devices_CertificateDeleted', {
      projectId: ids.project.of(found.projectId),
      deviceId: ids.device.of(deviceId),
      certificateId: ids.deviceCertificate.of(rawId),
    });
  return admission;
}

function emitCertificate(
  emit: Context['emit'],
  name: 'devices_CertificateAdded' | 'devices_CertificateStatusChanged',
  admission: Admission,
): void {
  emit(name, {
    projectId: ids.project.of(admission.projectId),
    deviceId: ids.device.of(admission.deviceId),
    certificateId: ids.deviceCertificate.of(admission.certificateId),
    status: admission.status,
  });
}
