import { z } from 'zod';
import {
  auditLogActionStatus,
  connectionEndReason,
  deviceEventSeverity,
  jobStatus,
  tokenAccess,
  tokenVerb,
} from './enums.ts';
import { ids } from './ids.ts';
import { filterText, orderOf } from './paging.ts';
import { maxTokenBounds } from './rules.ts';
import { json, jsonMap, listOf, searchText, text, textUpTo, timestamp, uint32 } from './scalars.ts';

function actorKind<Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) {
  return z.object({ actor: z.literal(kind), kind: z.literal(kind), ...fields });
}

/** The actor of a call. Its kind is sent twice, as `actor` and as `kind`, since clients read one or the other. */
export const actor = z.discriminatedUnion('actor', [
  actorKind('Anonymous', {}),
  actorKind('System', {}),
  actorKind('Device', { deviceId: ids.device.schema, tokenId: ids.deploymentTokenId.schema }),
  actorKind('User', { userId: ids.user.schema }),
  actorKind('UserToken', { userId: ids.user.schema, tokenId: ids.userTokenId.schema }),
  actorKind('ClusterNode', { nodeId: ids.clusterNode.schema }),
]);

/** The limits of what a user token may do. */
export const tokenBounds = {
  /** By default `full`; `read` calls queries and downloads only. */
  access: tokenAccess.optional(),
  /** The only things that it may do, besides reading; then `access` is left out. */
  verbs: listOf(tokenVerb, tokenVerb.options.length).optional(),
  /** The only projects that it reaches; all of its user if absent. */
  projects: listOf(ids.project.schema, maxTokenBounds).optional(),
  /** The only repositories that it reaches, besides reading public ones; all of its user if absent. */
  repositories: listOf(ids.repository.schema, maxTokenBounds).optional(),
  /** Whether it has the rights of an administrator while its user is one. */
  administrator: z.boolean().optional(),
  /** By default 90 days after its creation, at most 366 days. */
  expiresAt: timestamp.optional(),
};

/** An entry of an audit log. */
export const auditLogEvent = z.object({
  eventId: ids.auditEvent.schema,
  actor,
  event: text,
  data: json,
  createdAt: timestamp,
  action: z.object({ actionId: ids.auditAction.schema }).optional(),
  job: z.object({ jobId: ids.job.schema }).optional(),
});

/** The owner of something new: a user, or the user's personal organization; the caller by default. */
export const ownership = {
  owner: ids.user.schema.optional(),
  organizationId: ids.organization.schema.optional(),
};

/** Only entries older than `before`; a page of a log has at most and by default 1000 entries. */
export const logPage = {
  filter: filterText.optional(),
  order: orderOf(['created']).optional(),
  before: ids.auditEvent.schema.optional(),
};

/** Only commands older than `before`; a page has at most and by default 1000 commands. */
export const actionPage = {
  filter: filterText.optional(),
  order: orderOf(['created']).optional(),
  before: ids.auditAction.schema.optional(),
};

/** Which entries of the log of the instance are listed; all of the conditions hold. */
export const logFilter = {
  /** Only those by this actor: its kind, and after a colon its id if it has one, such as `User:u_…`. */
  actor: searchText.optional(),
  /** Only those since then. */
  since: timestamp.optional(),
};

/** A command and its outcome. */
export const auditLogAction = z.object({
  actionId: ids.auditAction.schema,
  actor,
  action: text,
  data: jsonMap,
  status: auditLogActionStatus,
  createdAt: timestamp,
});

/** A background job; `queued` while it waits for an attempt, delays and timeouts in seconds. */
export const job = z.object({
  jobId: ids.job.schema,
  status: jobStatus,
  job: text,
  queued: z.boolean(),
  attempts: uint32,
  retryLimit: uint32.optional(),
  retryDelay: uint32,
  timeout: uint32,
  createdAt: timestamp,
  /** When its last attempt began. */
  startedAt: timestamp.optional(),
  finishedAt: timestamp.optional(),
  /** How many completed jobs of its type this one stands for, with itself; only in a folded list. */
  runs: uint32.optional(),
  /** Why its last attempt failed. */
  error: text.optional(),
  /** How many devices or assets it still has before it, counted up to 200,000; only of a job that counts them, and has not ended. */
  remaining: uint32.optional(),
  /** How many stored objects its last attempt has looked at; only of a job that lists stores, which do not say how many objects they have. */
  examined: uint32.optional(),
});

/** A connection of a device; live while `endedAt` is absent. */
export const recentConnection = z.object({
  connectionId: ids.deviceConnection.schema,
  nodeId: ids.clusterNode.schema,
  connectedAt: timestamp,
  endedAt: timestamp.optional(),
  endReason: connectionEndReason.optional(),
});

/** A text in the property in which a device lists its commands, which may have 4 MiB. */
const manifestText = textUpTo(4_194_304);

/** A command that a device offers, with the JSON Schemas of its input and output. */
export const deviceCommand = z.object({
  name: manifestText,
  description: manifestText.optional(),
  category: manifestText.optional(),
  input: json.optional(),
  output: json.optional(),
});

/** The commands that a device offers. */
export const commandManifest = z.object({ commands: z.array(deviceCommand) });

/** An event reported by a device, which chooses an id that is unique for the device. */
export const deviceEvent = z.object({
  eventId: ids.deviceEvent.schema,
  category: text.optional(),
  severity: deviceEventSeverity,
  body: json,
  attributes: jsonMap,
  emittedAt: timestamp,
  receivedAt: timestamp.optional(),
});

/** See `actor`. */
export type Actor = z.infer<typeof actor>;

/** See `deviceCommand`. */
export type DeviceCommand = z.infer<typeof deviceCommand>;

/** See `deviceEvent`. */
export type DeviceEvent = z.infer<typeof deviceEvent>;

/** See `auditLogEvent`. */
export type AuditLogEvent = z.infer<typeof auditLogEvent>;
