import type { Actor } from './shapes.ts';
import type { Json } from './scalars.ts';

/** What an event is about: the audit logs of these entities list it, and live views follow it. */
export type EntityKind = 'user' | 'project' | 'repository';

/** How an event is kept: `log` becomes a row of the audit log, `hint` only tells live views to look again. */
export type EventKeeping = 'log' | 'hint';

interface EventRow {
  readonly keeping: EventKeeping;
  readonly entities: readonly EntityKind[];
}

const log = (...entities: EntityKind[]): EventRow => ({ keeping: 'log', entities });
const hint = (...entities: EntityKind[]): EventRow => ({ keeping: 'hint', entities });

/** Every domain event: what keeps it, and the entities it is attached to (by `userId`, `projectId`, `repositoryId` of its data). */
export const events = {
  users_Created: log('user'),
  users_Deleted: log(),
  users_SetIsAdmin: log('user'),
  users_SetPassword: log('user'),
  users_DisplayNameChanged: log('user'),
  users_TokenCreated: log('user'),
  users_TokenDeleted: log('user'),
  users_SessionInitiated: log('user'),
  users_SessionTerminated: log('user'),
  users_SignInFailed: log('user'),
  users_RegistrationCreated: log('user'),
  users_RegistrationEmailSent: log('user'),
  users_RegistrationCompleted: log('user'),
  projects_Created: log('project'),
  projects_Deleted: log(),
  projects_NameChanged: log('project'),
  projects_MemberAdded: log('user', 'project'),
  projects_MemberRemoved: log('user', 'project'),
  projects_InvitationCreated: log('project'),
  projects_InvitationDeleted: log('project'),
  projects_DeploymentTokenCreated: log('project'),
  projects_DeploymentTokenDeleted: log('project'),
  projects_DeploymentTokenFlagsChanged: log('project'),
  projects_RepositoryAdded: log('project', 'repository'),
  projects_RepositoryRemoved: log('project', 'repository'),
  devices_Created: log('project'),
  devices_Deleted: log('project'),
  devices_NameChanged: log('project'),
  devices_CertificateAdded: log('project'),
  devices_CertificateDeleted: log('project'),
  devices_CertificateStatusChanged: log('project'),
  devices_TokenIssued: log('project'),
  devices_HttpProxyTokenIssued: log('project'),
  devices_ConnectionChanged: hint('project'),
  devices_EventsPublished: hint('project'),
  devices_PropertiesChanged: hint('project'),
  devices_MetadataChanged: hint('project'),
  repositories_InvitationCreated: log('repository'),
  mail_Queued: hint(),
  cluster_NodesChanged: hint(),
} as const satisfies Record<string, EventRow>;

/** The name of a domain event. */
export type EventName = keyof typeof events;

/** A domain event as it travels on the bus after the commit of its action. */
export interface DomainEvent {
  readonly name: EventName;
  readonly data: Readonly<Record<string, Json>>;
  readonly actor: Actor;
  /** RFC 3339, UTC. */
  readonly at: string;
}

/** The parts of the console that may have to look again, as the live view names them. */
export type LiveTopic =
  | 'projects'
  | 'devices'
  | 'certificates'
  | 'connections'
  | 'events'
  | 'properties'
  | 'members'
  | 'invitations'
  | 'tokens'
  | 'sessions'
  | 'users'
  | 'log'
  | 'cluster'
  | 'repositories';

/** One message of the live view: what changed, and where. */
export interface LiveChange {
  readonly topic: LiveTopic;
  readonly projectId?: string;
  readonly deviceId?: string;
  readonly userId?: string;
  readonly repositoryId?: string;
}
