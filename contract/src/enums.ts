import { z } from 'zod';

/** How far a registration has come. */
export const userRegistrationStatus = z.object({
  tag: z.enum(['Pending', 'Waiting', 'Completed', 'Failed']),
});

/** Whether a device certificate is let in; only an active one is. */
export const deviceCertificateStatus = z.enum(['Pending', 'Active', 'Rejected', 'Revoked']);

/** Why a connection of a device ended. */
export const connectionEndReason = z.enum(['Unknown', 'Disconnected', 'NodeCrashed', 'ServerShutdown']);

/** How a device is: offline while it is not connected, else what it says of itself. */
export const deviceStatus = z.enum(['healthy', 'warning', 'error', 'offline']);

/** How much a device event matters. */
export const deviceEventSeverity = z.enum(['Trace', 'Debug', 'Info', 'Warning', 'Error', 'Critical']);

/** Who may read a repository. */
export const repositoryVisibility = z.enum(['Public', 'Private']);

/** Whether the bytes of an asset have arrived. */
export const repositoryAssetStatus = z.enum(['Dangling', 'Available', 'Deleting']);

/** How a command ended. */
export const auditLogActionStatus = z.enum(['Rejected', 'Panicked', 'Succeeded', 'Failed', 'Pending']);

/** How a background job stands. */
export const jobStatus = z.enum(['Pending', 'Completed', 'Failed', 'Expired', 'Cancelled']);

/** See `deviceCertificateStatus`. */
export type DeviceCertificateStatus = z.infer<typeof deviceCertificateStatus>;

/** See `deviceEventSeverity`. */
export type DeviceEventSeverity = z.infer<typeof deviceEventSeverity>;

/** See `auditLogActionStatus`. */
export type AuditLogActionStatus = z.infer<typeof auditLogActionStatus>;

/** Why a token of the HTTP proxy opens nothing: it is none of ours, its time is over, it was used already, or what it rests on is gone. */
export const proxyTokenFault = z.enum(['Unknown', 'Expired', 'Used', 'Withdrawn']);

/** See the schema of the same name. */
export type ProxyTokenFault = z.infer<typeof proxyTokenFault>;
