import { z } from 'zod';
import { text, timestamp } from './scalars.ts';

/** The progress of a registration. */
export const userRegistrationStatus = z.object({
  tag: z.enum(['Pending', 'Waiting', 'Completed', 'Failed']),
});

/** What an e-mail of the hub is about. */
export const mailKind = z.enum([
  'Activation',
  'AddressTaken',
  'Invitation',
  'PasswordChanged',
  'PasswordLink',
  'TokenExpiring',
  'IdentityLinked',
  'IdentityUnlinked',
  'FactorAdded',
  'FactorRemoved',
  'FactorLocked',
  'RecoveryCodeUsed',
  'RecoveryCodesRenewed',
  'TokenCreated',
  'WebhookDisabled',
  'RecordingWaived',
  'Alert',
]);

/** What the messages of a webhook look like: signed as Standard Webhooks says, or as a service wants them. Slack is also for Mattermost, and for Discord with /slack behind the URL. */
export const webhookFormat = z.enum(['Standard', 'Slack', 'Teams', 'Ntfy', 'Alertmanager']);

/** See the schema of the same name. */
export type WebhookFormat = z.infer<typeof webhookFormat>;

/** How a session was authenticated. */
export const authenticationMethod = z.enum(['password', 'provider', 'totp', 'recoveryCode', 'passkey']);

/** See the schema of the same name. */
export type AuthenticationMethod = z.infer<typeof authenticationMethod>;

/** The status of a device certificate; only Active ones may connect. */
export const deviceCertificateStatus = z.enum(['Pending', 'Active', 'Rejected', 'Revoked']);

/** Why a connection of a device ended. */
export const connectionEndReason = z.enum(['Unknown', 'Disconnected', 'NodeCrashed', 'ServerShutdown']);

/** The health of a device: offline while it is not connected, else as it reports. */
export const deviceStatus = z.enum(['healthy', 'warning', 'error', 'offline']);

/** The severity of a device event. */
export const deviceEventSeverity = z.enum(['Trace', 'Debug', 'Info', 'Warning', 'Error', 'Critical']);

/** What of a project is exported over OTLP: events of devices, its audit log, what happens in operations, connections of devices. */
export const otlpStream = z.enum(['events', 'audit', 'operations', 'connections']);

/** Who may read a repository. */
export const repositoryVisibility = z.enum(['Public', 'Private']);

/** Whether the bytes of an asset are stored. */
export const repositoryAssetStatus = z.enum(['Dangling', 'Available', 'Deleting']);

/** What the store of an asset said at the last check: it holds an object of the size, or verified bytes, or not. */
export const assetStorageStatus = z.enum([
  'Unknown',
  'Present',
  'Verified',
  'Missing',
  'Mismatched',
  'Error',
]);

/** The last check of the stored bytes of an asset. */
export const assetStorage = z.object({
  status: assetStorageStatus,
  checkedAt: timestamp.optional(),
  detail: text.optional(),
});

/** How a file differs between two versions. */
export const fileChange = z.enum(['Added', 'Removed', 'Changed', 'Same']);

/** The outcome of a command. */
export const auditLogActionStatus = z.enum(['Rejected', 'Panicked', 'Succeeded', 'Failed', 'Pending']);

/** The status of a background job. */
export const jobStatus = z.enum(['Pending', 'Completed', 'Failed', 'Expired', 'Cancelled']);

/** See `deviceCertificateStatus`. */
export type DeviceCertificateStatus = z.infer<typeof deviceCertificateStatus>;

/** See `deviceEventSeverity`. */
export type DeviceEventSeverity = z.infer<typeof deviceEventSeverity>;

/** See `otlpStream`. */
export type OtlpStream = z.infer<typeof otlpStream>;

/** See `auditLogActionStatus`. */
export type AuditLogActionStatus = z.infer<typeof auditLogActionStatus>;

/** Why a token of the HTTP proxy is invalid: not issued by this hub, expired, already used, or its session, user or device access has ended. */
export const proxyTokenFault = z.enum(['Unknown', 'Expired', 'Used', 'Withdrawn']);

/** See the schema of the same name. */
export type ProxyTokenFault = z.infer<typeof proxyTokenFault>;

/** The CI that a token for publishing comes from. */
export const ciKind = z.enum(['GitHub', 'GitLab', 'Forgejo', 'Other']);

/** Whether a user token may change things. */
export const tokenAccess = z.enum(['read', 'full']);

/** What a user token with verbs may do, besides reading. */
export const tokenVerb = z.enum(['read', 'publish', 'forward', 'operate', 'manage']);

/** See the schema of the same name. */
export type TokenVerb = z.infer<typeof tokenVerb>;
