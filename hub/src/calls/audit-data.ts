import type { Json } from '@corral/contract';
import { bounded } from './audit-bounds.ts';

/** The input fields that the audit log may show; all others are left out. */
export const auditedFields: ReadonlySet<string> = new Set([
  'access',
  'activeOnly',
  'address',
  'administrator',
  'assetId',
  'attempts',
  'auditRetentionMonths',
  'autoAccept',
  'bucket',
  'certificateId',
  'certificateIds',
  'columns',
  'config',
  'connectionId',
  'consentedToMarketing',
  'consentedToTerms',
  'deviceId',
  'digest',
  'displayName',
  'email',
  'enabled',
  'endReason',
  'eventRetentionMonths',
  'expiresAt',
  'filename',
  'filter',
  'flags',
  'forcePathStyle',
  'hostname',
  'invitationId',
  'isAdmin',
  'isAlone',
  'isApproved',
  'isBusConnected',
  'isDisabled',
  'isOwner',
  'jobId',
  'key',
  'kind',
  'locked',
  'maxAssets',
  'maxBytes',
  'mustBeOnly',
  'name',
  'newOwner',
  'nodeId',
  'onlyIfUntagged',
  'order',
  'organizationId',
  'owner',
  'packageId',
  'peer',
  'port',
  'prefix',
  'projectId',
  'projects',
  'protected',
  'publicUrl',
  'reassign',
  'redirect',
  'region',
  'registration',
  'remoteAddress',
  'repositories',
  'repositoryId',
  's3Bucket',
  's3Config',
  's3Endpoint',
  's3Prefix',
  's3Region',
  'sendPasswordLink',
  'sessionId',
  'settings',
  'size',
  'slug',
  'status',
  'tag',
  'tags',
  'tokenId',
  'userAgent',
  'userId',
  'validForDays',
  'validForSecs',
  'version',
  'versionId',
  'visibility',
]);

/** The fields of an input that the audit log may show, at every depth, within the bounds of a row. */
export function auditData(input: unknown): Record<string, Json> {
  return bounded((keep(input) ?? {}) as Record<string, Json>);
}

function keep(value: unknown): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => keep(item) ?? null);
  if (typeof value !== 'object' || value === null) return value as Json;
  const kept = Object.entries(value).flatMap(([key, field]) => {
    const shown = auditedFields.has(key) && field !== undefined ? keep(field) : undefined;
    return shown === undefined ? [] : [[key, shown] as const];
  });
  return Object.fromEntries(kept);
}
