import { events, type DomainEvent, type EventName, type LiveChange, type LiveTopic } from '@corral/contract';

/** Who gets to hear of a change. */
export type Audience =
  | { readonly kind: 'project'; readonly projectId: string }
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'administrators' }
  | { readonly kind: 'everyone' };

/** A change and who gets to hear of it; administrators hear of all. */
export interface AddressedChange {
  readonly change: LiveChange;
  readonly audience: Audience;
}

/** What an event changes for a project, for a user, for everyone. */
interface Topics {
  readonly project?: LiveTopic;
  readonly user?: LiveTopic;
  readonly everyone?: LiveTopic;
}

const membership: Topics = { project: 'members', user: 'projects' };

const topicsOf: Readonly<Record<EventName, Topics>> = {
  users_Created: { user: 'users' },
  users_Deleted: { user: 'users' },
  users_SetIsAdmin: { user: 'users' },
  users_SetPassword: { user: 'sessions' },
  users_DisplayNameChanged: { user: 'users' },
  users_TokenCreated: { user: 'tokens' },
  users_TokenDeleted: { user: 'tokens' },
  users_SessionInitiated: { user: 'sessions' },
  users_SessionTerminated: { user: 'sessions' },
  users_SignInFailed: {},
  users_RegistrationCreated: {},
  users_RegistrationEmailSent: {},
  users_RegistrationCompleted: { user: 'users' },
  projects_Created: { project: 'projects' },
  projects_Deleted: { project: 'projects' },
  projects_NameChanged: { project: 'projects' },
  projects_MemberAdded: membership,
  projects_MemberRemoved: membership,
  projects_InvitationCreated: { project: 'invitations' },
  projects_InvitationDeleted: { project: 'invitations' },
  projects_DeploymentTokenCreated: { project: 'tokens' },
  projects_DeploymentTokenDeleted: { project: 'tokens' },
  projects_DeploymentTokenFlagsChanged: { project: 'tokens' },
  projects_RepositoryAdded: { project: 'repositories' },
  projects_RepositoryRemoved: { project: 'repositories' },
  devices_Created: { project: 'devices' },
  devices_Deleted: { project: 'devices' },
  devices_NameChanged: { project: 'devices' },
  devices_CertificateAdded: { project: 'certificates' },
  devices_CertificateDeleted: { project: 'certificates' },
  devices_CertificateStatusChanged: { project: 'certificates' },
  devices_TokenIssued: {},
  devices_HttpProxyTokenIssued: {},
  devices_ConnectionChanged: { project: 'connections' },
  devices_EventsPublished: { project: 'events' },
  devices_PropertiesChanged: { project: 'properties' },
  devices_MetadataChanged: { project: 'devices' },
  repositories_InvitationCreated: {},
  mail_Queued: {},
  cluster_NodesChanged: { everyone: 'cluster' },
};

/** The changes of the live view that an event stands for; a logged event also changes the log that lists it. */
export function addressedChanges({ name, data }: DomainEvent): AddressedChange[] {
  const topics = topicsOf[name];
  const projectId = text(data['projectId']);
  const deviceId = text(data['deviceId']);
  const userId = text(data['userId']);
  const found: AddressedChange[] = [];
  const add = (change: LiveChange, audience: Audience): void => void found.push({ change, audience });
  if (topics.project !== undefined && projectId !== undefined) {
    const where = deviceId === undefined ? { projectId } : { projectId, deviceId };
    add({ topic: topics.project, ...where }, { kind: 'project', projectId });
  }
  if (topics.user !== undefined && userId !== undefined)
    add({ topic: topics.user, userId }, { kind: 'user', userId });
  if (topics.everyone !== undefined) add({ topic: topics.everyone }, { kind: 'everyone' });
  if (events[name].keeping === 'log') found.push(logChange(projectId));
  return found;
}

function logChange(projectId: string | undefined): AddressedChange {
  if (projectId === undefined) return { change: { topic: 'log' }, audience: { kind: 'administrators' } };
  return { change: { topic: 'log', projectId }, audience: { kind: 'project', projectId } };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
