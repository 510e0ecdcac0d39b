import { ActionError, ids } from '@corral/contract';
import { notFound } from '../../../auth/actors.ts';
import type { Handler, HandlerContext } from '../../../calls/handler.ts';
import { lockDevice, rotateToIssued } from '../../devices/index.ts';
import { mustBeDevice, mustHaveDeviceAccess } from '../../projects/index.ts';
import { describedCertificate, issueCertificate, requestedKey } from '../policy/issuing.ts';
import { keyOf } from '../sql/authorities.ts';
import { readRenewal, type Renewal } from '../sql/renewals.ts';

const dayMs = 86_400_000;

/** Issues a certificate to a device whose renewal is due; it is accepted at once, and the one before stays so until the device has come with it. */
export const IssueCertificate: Handler<'devices_IssueCertificate', { readonly projectId: string }> = {
  async authorize({ tx, actor, input }) {
    await mustBeDevice(tx, actor, input.deviceId);
    return mustHaveDeviceAccess(tx, actor, input.deviceId);
  },

  async run(context, { projectId }) {
    const { tx, vault, input, now } = context;
    const deviceId = ids.device.raw(input.deviceId);
    await lockDevice(tx, deviceId);
    const renewal = await dueRenewal(context, deviceId);
    const publicKey = await requestedKey(input.request);
    const keyPem = keyOf(vault, renewal);
    if (keyPem === undefined) throw notFound('Certificate authority');
    const validForMs = renewal.validForDays * dayMs;
    const authority = { certificatePem: renewal.certificate_pem, keyPem };
    const pem = await issueCertificate(authority, { publicKey, commonName: input.deviceId, validForMs }, now);
    const { fingerprint, endsAt } = describedCertificate(pem);
    const issued = { fingerprint, endsAt, authorityId: renewal.authority_id };
    await rotateToIssued(context, { projectId, deviceId }, issued);
    return { pem, endsAt: endsAt.toISOString() };
  },
};

async function dueRenewal(
  { tx, now, origin: { certificateId } }: HandlerContext<'devices_IssueCertificate'>,
  deviceId: string,
): Promise<Renewal> {
  const renewal =
    certificateId === undefined ? undefined : await readRenewal(tx, { deviceId, certificateId }, now);
  if (renewal?.isDue !== true)
    throw new ActionError(
      'Invalid',
      'No other certificate is due: ask devices_GetCertificateRenewal over the connection of the device first.',
    );
  if (!renewal.wasJustIssued) return renewal;
  throw new ActionError('Throttled', 'The device was issued a certificate just now. Try again in a minute.', {
    retryAfterSecs: 60,
  });
}
