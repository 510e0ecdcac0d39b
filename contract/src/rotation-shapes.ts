import { z } from 'zod';
import { textUpTo, uint32 } from './scalars.ts';

/** Where the rotation of a certificate stands; `RolledBack` is a device that came back with an old certificate. */
export const rotationState = z.enum([
  'Open',
  'Announced',
  'Arrived',
  'RolledBack',
  'Completed',
  'Expired',
  'Cancelled',
]);

export type RotationState = z.output<typeof rotationState>;

const daySecs = 86_400;

/** How long a rotation takes by default, in seconds. */
export const rotationDefaults = { graceSecs: daySecs, windowSecs: daySecs } as const;

/** What is chosen where certificates are rotated. */
export const rotationChoices = {
  /** How long the old certificate stays active after the device came with the new one; a day by default. */
  graceSecs: uint32.max(30 * daySecs).optional(),
  /** How long devices may take to announce a new certificate; a day by default. */
  windowSecs: uint32
    .min(60)
    .max(90 * daySecs)
    .optional(),
  reason: textUpTo(500).optional(),
};

/** The property in which a device finds `{nonce, until, deviceId}` while it may replace its certificate. */
export const rotationProperty = 'corral.certificate.rotation';

/** The property that announces a certificate: `{pem, signature}`, of which the signature in base64 is that of the new key over `<nonce>.<deviceId>`. */
export const announcedProperty = 'corral.certificate.next';
