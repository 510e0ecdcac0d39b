import { z } from 'zod';
import { command, query } from '../define.ts';
import { deviceStatus, repositoryVisibility } from '../enums.ts';
import { ids } from '../ids.ts';
import { filterText, orderOf, pagedQuery } from '../paging.ts';
import { maxCertificatesAtOnce, maxCountedFilters, maxVersionFields } from '../rules.ts';
import {
  certificateFingerprint,
  empty,
  listOf,
  nameText,
  searchText,
  someOf,
  text,
  textUpTo,
  timestamp,
  uint32,
  uint64,
  viewNameText,
} from '../scalars.ts';
import { terminalPolicy } from '../terminal-shapes.ts';
import { auditLogEvent, logPage, ownership, deviceEvent } from '../shapes.ts';

/** How the devices of a project are sorted; by `lastSeen` the connected ones are the last seen, and those that never connected come last in either direction. */
const deviceListOrder = orderOf(['name', 'id', 'firstSeen', 'lastSeen', 'status', 'pending']);

const maxColumns = 32;
const maxColumnCharacters = 64;

/** What a saved view of the devices of a project shows; without a field the list is as it is at first. */
const savedView = {
  /** As typed. */
  filter: filterText.optional(),
  /** Which devices it has besides the filter. */
  status: z.enum(['connected', 'disconnected', 'pending']).optional(),
  order: deviceListOrder.optional(),
  /** The names that the console has for the columns that it shows of those that can be hidden. */
  columns: listOf(textUpTo(maxColumnCharacters), maxColumns).optional(),
};

/** Which operations need a second person; without one none does. */
const approvalPolicy = z.object({
  /** Those on more devices than this. */
  aboveDevices: z.int().min(0).max(1_000_000).optional(),
  /** Those that run one of these commands. */
  commands: listOf(textUpTo(128).min(1, 'must have at least one character'), 50),
});

/** When a deployment token enrols no more devices; those that it has enrolled stay, and connect with it. */
const deploymentTokenEnds = {
  expiresAt: timestamp.optional(),
  /** How many devices it enrols. */
  maxUses: uint32.optional(),
};

/** Actions on projects, their deployment tokens and linked repositories. */
export const projectsActions = {
  projects_QueryProjects: pagedQuery({
    doc: 'Lists the projects that the caller may see, ordered by name.',
    reads: ['projects', 'members'],
    input: empty,
    output: z.object({ projects: z.array(z.object({ projectId: ids.project.schema, name: text })) }),
  }),
  projects_GetProjectDetails: query({
    doc: 'Returns a project with its counts.',
    reads: [
      'projects',
      'devices',
      'certificates',
      'connections',
      'members',
      'tokens',
      'repositories',
      'operations',
    ],
    input: z.object({ projectId: ids.project.schema }),
    output: z.object({
      projectId: ids.project.schema,
      name: text,
      deviceCount: uint32,
      /** The quota of devices. */
      maxDeviceCount: uint32.optional(),
      connectedDeviceCount: uint32.optional(),
      pendingCertificateCount: uint32.optional(),
      memberCount: uint32.optional(),
      deploymentTokenCount: uint32.optional(),
      repositoryCount: uint32.optional(),
      /** The operations that run or are paused. */
      openOperationCount: uint32.optional(),
      isOwner: z.boolean().optional(),
      /** The fields that are versions, where an owner has named some. */
      versionFields: z.array(text).optional(),
      /** Absent where no operation needs a second person. */
      approval: approvalPolicy.optional(),
      /** Absent where no owner has chosen one: then only owners may open terminals, in their sessions. */
      terminal: terminalPolicy.optional(),
    }),
  }),
  projects_CreateProject: command({
    doc: 'Creates a project owned by the calling user; administrators may name another owner.',
    input: z.object({ name: nameText, ...ownership }),
    output: z.object({ result: z.literal('Created'), projectId: ids.project.schema }),
  }),
  projects_SetName: command({
    doc: 'Renames a project; owners only.',
    input: z.object({ projectId: ids.project.schema, name: nameText }),
    output: empty,
  }),
  projects_SetVersionFields: command({
    doc: 'Names the fields, as filters name them, that are the versions of the devices of a project; without any the hub finds them again; owners only.',
    input: z.object({ projectId: ids.project.schema, fields: listOf(text, maxVersionFields) }),
    output: empty,
  }),
  projects_SetPolicies: command({
    doc: 'Says which operations of a project another owner than their creator has to start; without an approval none; owners only.',
    input: z.object({ projectId: ids.project.schema, approval: approvalPolicy.optional() }),
    output: empty,
  }),
  projects_DeleteProject: command({
    doc: 'Deletes a project with all its devices, tokens and events, and closes their connections; owners only.',
    input: z.object({ projectId: ids.project.schema }),
    output: empty,
  }),
  projects_QueryProjectDevices: pagedQuery({
    doc: 'Lists the devices of a project, newest first unless another order is asked for, with their presence.',
    reads: ['devices', 'certificates', 'connections'],
    input: z.object({
      projectId: ids.project.schema,
      filter: filterText.optional(),
      order: deviceListOrder.optional(),
    }),
    output: z.object({
      devices: z.array(
        z.object({
          deviceId: ids.device.schema,
          name: text.optional(),
          /** As reported by the device. */
          hostname: text.optional(),
          firstSeen: timestamp,
          /** Always present; optional because clients of 2025 do not know it. */
          status: deviceStatus.optional(),
          isConnected: z.boolean(),
          pendingCertificatesCount: uint32,
          lastConnectedAt: timestamp.optional(),
          /** When it was last connected: the time of this answer while it is; absent if it never was. */
          lastSeenAt: timestamp.optional(),
          currentConnectionDurationSecs: uint32.optional(),
          /** The first eight plain values of its metadata by name, of at most 100 characters each; absent where there are none, or the metadata is larger than 4 KiB. */
          labels: z.array(z.object({ name: text, value: text })).optional(),
        }),
      ),
    }),
  }),
  projects_CountProjectDevices: query({
    doc: 'Counts the devices of a project that a filter finds, up to 10,000.',
    // Not connections, which change all the time: counting again each time would cost more than it tells.
    reads: ['devices', 'certificates'],
    input: z.object({ projectId: ids.project.schema, filter: filterText }),
    output: z.object({
      count: uint32,
      /** False where there are more than 10,000. */
      isAll: z.boolean(),
    }),
  }),
  projects_CountFilteredDevices: query({
    doc: 'Counts the devices of a project that each of up to eight filters finds, as projects_CountProjectDevices does for one.',
    // Eight counts of a large project take a second, too much for each change: whoever looks asks again.
    reads: [],
    input: z.object({ projectId: ids.project.schema, filters: listOf(filterText, maxCountedFilters) }),
    output: z.object({
      /** In the order of the filters; an empty object for one with a mistake. */
      counts: z.array(z.object({ count: uint32.optional(), isAll: z.boolean().optional() })),
    }),
  }),
  projects_QueryFilterFields: pagedQuery({
    doc: "Lists up to 500 names that a filter of a project's devices may use beside the fixed ones, ordered by name: of properties, and as `label.…` of the metadata of the 100 newest devices.",
    reads: ['devices', 'properties'],
    input: z.object({
      projectId: ids.project.schema,
      /** How the names begin. */
      prefix: searchText.optional(),
    }),
    output: z.object({ names: z.array(text) }),
  }),
  projects_GetDeviceLabels: query({
    doc: 'Returns the labels of the newest devices of a project, the most frequent names and values first: at most 100 names, and 20 values of each.',
    reads: ['devices'],
    input: z.object({ projectId: ids.project.schema }),
    output: z.object({ labels: z.array(z.object({ name: text, values: z.array(text) })) }),
  }),
  projects_QueryProjectEvents: pagedQuery({
    doc: 'Lists the events of all devices of a project as `devices_QueryDeviceEvents` does those of one, newest first; a page has 100 events by default and at most 1000.',
    reads: ['events'],
    input: z.object({
      projectId: ids.project.schema,
      /** Beside the fields of events, `device` is the id of a device. */
      filter: filterText.optional(),
    }),
    output: z.object({
      events: z.array(
        z.object({
          ...deviceEvent.shape,
          deviceId: ids.device.schema,
          /** Its name, or else its hostname. */
          deviceName: text.optional(),
        }),
      ),
    }),
  }),
  projects_QueryPendingCertificates: pagedQuery({
    doc: 'Lists the certificates of all devices of a project, or of up to 500 of them, that nobody has accepted or rejected yet, the longest waiting first.',
    reads: ['devices', 'certificates'],
    input: z.object({
      projectId: ids.project.schema,
      deviceIds: someOf(ids.device.schema, maxCertificatesAtOnce).optional(),
    }),
    output: z.object({
      certificates: z.array(
        z.object({
          certificateId: ids.deviceCertificate.schema,
          deviceId: ids.device.schema,
          deviceName: text.optional(),
          /** As reported by the device. */
          hostname: text.optional(),
          fingerprint: certificateFingerprint,
          createdAt: timestamp,
          /** The name of the token that enrolled the device, unless it was deleted. */
          tokenName: text.optional(),
          /** The address that presented the certificate first; those from before the hub noted it have none. */
          address: text.optional(),
          /** Whether it came with the fingerprint of its device and the token that is bound to it, while the window of its rotation was open, and it still is. */
          isExpected: z.boolean().optional(),
        }),
      ),
    }),
  }),
  projects_AcceptDeviceCertificates: command({
    doc: 'Accepts up to 500 certificates of devices of a project; those that are not pending there any more stay as they are and are answered as unchanged.',
    input: z.object({
      projectId: ids.project.schema,
      certificateIds: someOf(ids.deviceCertificate.schema, maxCertificatesAtOnce),
    }),
    output: z.object({
      acceptedIds: z.array(ids.deviceCertificate.schema),
      unchangedIds: z.array(ids.deviceCertificate.schema),
    }),
  }),
  projects_QuerySavedViews: pagedQuery({
    doc: "Lists the caller's own saved views of the devices of a project, ordered by name.",
    reads: ['views'],
    input: z.object({ projectId: ids.project.schema }),
    output: z.object({ views: z.array(z.object({ name: text, ...savedView })) }),
  }),
  projects_SaveView: command({
    doc: 'Saves a view of the devices of a project for the caller alone, instead of an own one of the same name.',
    input: z.object({ projectId: ids.project.schema, name: viewNameText, ...savedView }),
    output: z.object({ result: z.enum(['Created', 'Replaced']) }),
  }),
  projects_DeleteSavedView: command({
    doc: "Deletes one of the caller's own saved views of the devices of a project.",
    input: z.object({ projectId: ids.project.schema, name: viewNameText }),
    output: empty,
  }),
  projects_QueryProjectDeploymentTokens: pagedQuery({
    doc: 'Lists the deployment tokens of a project, newest first, without their secrets; enrolledDevices counts up to 1000, and 1001 stands for more.',
    reads: ['devices', 'tokens'],
    input: z.object({ projectId: ids.project.schema }),
    output: z.object({
      tokens: z.array(
        z.object({
          tokenId: ids.deploymentTokenId.schema,
          createdAt: timestamp,
          name: text.optional(),
          lastUsedAt: timestamp.optional(),
          enrolledDevices: uint32.optional(),
          flags: z.object({ autoAccept: z.boolean().optional() }),
          ...deploymentTokenEnds,
          /** How many devices it has enrolled, deleted ones included; only with maxUses. */
          uses: uint32.optional(),
          /** The only device that may use it, which was paired by a key. */
          deviceId: ids.device.schema.optional(),
        }),
      ),
    }),
  }),
  projects_QueryProjectRepositories: pagedQuery({
    doc: 'Lists the repositories that are linked to a project, ordered by name.',
    reads: ['repositories', 'packages'],
    input: z.object({ projectId: ids.project.schema }),
    output: z.object({
      repositories: z.array(
        z.object({
          repositoryId: ids.repository.schema,
          name: text,
          /** The name under further names, which clients of 2026 read. */
          displayName: text,
          slug: text.optional(),
          publicName: text,
          visibility: repositoryVisibility,
          packageCount: uint64,
          linkedAt: timestamp,
        }),
      ),
    }),
  }),
  projects_CreateDeploymentToken: command({
    doc: 'Creates a token that enrols devices in a project, until it expires or has enrolled so many, where that is given; only this answer contains the secret.',
    input: z.object({
      projectId: ids.project.schema,
      name: nameText,
      flags: z.object({ autoAccept: z.boolean().optional() }).optional(),
      ...deploymentTokenEnds,
    }),
    output: z.object({ tokenId: ids.deploymentTokenId.schema, token: ids.deploymentToken.schema }),
  }),
  projects_DeleteDeploymentToken: command({
    doc: 'Deletes a deployment token and closes the connections made with it.',
    input: z.object({ tokenId: ids.deploymentTokenId.schema }),
    output: empty,
  }),
  projects_SetDeploymentTokenFlags: command({
    doc: 'Sets whether a deployment token accepts the certificates of new devices automatically.',
    input: z.object({
      tokenId: ids.deploymentTokenId.schema,
      flags: z.object({ autoAccept: z.boolean().optional() }),
    }),
    output: empty,
  }),
  projects_QueryAuditLog: pagedQuery({
    doc: 'Lists the audit events of a project, newest first.',
    reads: ['log'],
    input: z.object({ projectId: ids.project.schema, ...logPage }),
    output: z.object({ events: z.array(auditLogEvent) }),
  }),
  projects_ExportAuditLog: query({
    doc: 'Exports the next 200 sealed events of a project as lines of JSON, oldest first, each with its proof; `corral-hub audit verify --file` checks all lines of all pages.',
    reads: ['log'],
    input: z.object({
      projectId: ids.project.schema,
      /** The last entry of the page before. */
      after: ids.auditEvent.schema.optional(),
    }),
    output: z.object({ lines: z.array(text), next: ids.auditEvent.schema.optional() }),
  }),
  projects_AddProjectRepository: command({
    doc: 'Links a repository to a project, whose members and devices may then read it; a private one only for an owner of it, by whom it confirms a link that exists.',
    input: z.object({ projectId: ids.project.schema, repositoryId: ids.repository.schema }),
    output: empty,
  }),
  projects_RemoveProjectRepository: command({
    doc: 'Removes the link between a repository and a project, for members of the project and owners of the repository.',
    input: z.object({ projectId: ids.project.schema, repositoryId: ids.repository.schema }),
    output: empty,
  }),
} as const;
