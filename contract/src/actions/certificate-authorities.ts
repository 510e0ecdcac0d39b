import { z } from 'zod';
import { certificateDays, foreignCertificateDays } from '../certificate-rules.ts';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { certificateFingerprint, empty, nameText, text, textUpTo, timestamp, uint32 } from '../scalars.ts';

const deviceId = ids.device.schema;
const projectId = ids.project.schema;
const authorityId = ids.certificateAuthority.schema;

const maxPemCharacters = 16_384;
const pem = textUpTo(maxPemCharacters);

/** Authorities of projects, and the certificates that they issue to devices. */
export const certificateAuthorityActions = {
  projects_CreateCertificateAuthority: command({
    doc: 'Gives a project a certificate authority, made by the hub unless a certificate is given; owners only.',
    input: z.object({
      projectId,
      name: nameText,
      certificatePem: pem.optional(),
      /** The key of the certificate, in PEM without a passphrase; without it the authority is only trusted, and issues nothing. */
      keyPem: pem.optional(),
    }),
    output: z.object({ authorityId }),
  }),
  projects_DeleteCertificateAuthority: command({
    doc: 'Deletes a certificate authority with its key, after which certificates of it count as foreign ones; owners only.',
    input: z.object({ projectId, authorityId }),
    output: empty,
  }),
  projects_SetCertificatePolicy: command({
    doc: 'Says whether the devices of a project need certificates of its authorities, and how long issued ones are valid; owners only.',
    input: z.object({
      projectId,
      isDemanded: z.boolean(),
      validForDays: z.int().min(certificateDays.min).max(certificateDays.max),
      /** For so long foreign certificates still count: of those that are active now when the demand begins, of all where it is given; 7 by default. */
      foreignDays: z.int().min(0).max(foreignCertificateDays.max).optional(),
    }),
    output: empty,
  }),
  projects_GetCertificatePolicy: query({
    doc: 'Returns the certificate authorities of a project, and how many of its devices hold a certificate of one.',
    reads: ['projects', 'certificates', 'devices'],
    input: z.object({ projectId }),
    output: z.object({
      isDemanded: z.boolean(),
      validForDays: uint32,
      /** Newest first. */
      authorities: z.array(
        z.object({
          authorityId,
          name: text,
          fingerprint: certificateFingerprint,
          certificatePem: text,
          /** Whether new certificates are of this one: the newest that has a key and has not ended. */
          isIssuing: z.boolean(),
          createdAt: timestamp,
          endsAt: timestamp,
          /** How many devices hold an active certificate of it. */
          devices: uint32,
        }),
      ),
      devicesWithIssued: uint32,
      /** Devices with active certificates, of which none is of an authority of the project. */
      devicesWithout: uint32,
    }),
  }),
  devices_GetCertificateRenewal: query({
    doc: 'Tells a device whether it should ask for another certificate now; only the device itself may ask.',
    reads: [],
    input: z.object({ deviceId }),
    output: z.object({ isDue: z.boolean() }),
  }),
  devices_IssueCertificate: command({
    doc: 'Issues a certificate for the key of a certificate request (PKCS #10 in PEM) while a renewal is due; only the device itself may ask.',
    input: z.object({ deviceId, request: pem }),
    output: z.object({ pem: text, endsAt: timestamp }),
    audit: 'none',
  }),
} as const;
