import type { Actor } from './shapes.ts';
import type { LiveTopic } from './live-topics.ts';
import type { Json } from './scalars.ts';

/** The kinds of entities with an audit log of their own, of which that of a device is in its timeline. */
export type EntityKind = 'user' | 'project' | 'repository' | 'device';

/** How an event is kept: `log` events become rows of the audit log, `hint` events only go to the bus. */
export type EventPersistence = 'log' | 'hint';

/**
 * Which topic an event makes stale, by audience: the members of its project, the members of its repository and of projects linked to that, its user,
 * everyone, nobody else. Administrators receive all.
 */
export interface StaleTopics {
  readonly project?: LiveTopic;
  readonly repository?: LiveTopic;
  readonly user?: LiveTopic;
  readonly everyone?: LiveTopic;
  readonly administrators?: LiveTopic;
}

interface EventRow {
  readonly persistence: EventPersistence;
  readonly entities: readonly EntityKind[];
  readonly stale: StaleTopics;
}

const log = (entities: readonly EntityKind[], stale: StaleTopics = {}): EventRow => ({
  persistence: 'log',
  entities,
  stale,
});
const hint = (entities: readonly EntityKind[], stale: StaleTopics = {}): EventRow => ({
  persistence: 'hint',
  entities,
  stale,
});

/**
 * Every domain event: how it is kept, the entities it is attached to (by `userId`, `projectId`, `repositoryId`, `deviceId` of its data), and which
 * topics it makes stale for whom. A logged event also makes the topic `log` stale.
 */
export const events = {
  users_Created: log(['user'], { user: 'users' }),
  users_Deleted: log([], { user: 'users' }),
  users_SetIsAdmin: log(['user'], { user: 'users' }),
  users_SetIsDisabled: log(['user'], { user: 'users' }),
  users_PasswordLinkSent: log(['user']),
  users_PasswordLinkIssued: log(['user']),
  users_EmailConfirmed: log(['user'], { user: 'users' }),
  users_SetPassword: log(['user'], { user: 'sessions' }),
  users_DisplayNameChanged: log(['user'], { user: 'users' }),
  /** Those of a service account also name its project or repository. */
  users_TokenCreated: log(['user', 'project', 'repository'], { user: 'tokens' }),
  users_TokenDeleted: log(['user', 'project', 'repository'], { user: 'tokens' }),
  /** For the members of its project or repository, as the events before are for their user. */
  users_ServiceAccountTokensChanged: hint([], { project: 'tokens', repository: 'tokens' }),
  users_ServiceAccountCreated: log(['user', 'project', 'repository'], {
    project: 'members',
    repository: 'members',
  }),
  users_ServiceAccountDeleted: log(['project', 'repository'], { project: 'members', repository: 'members' }),
  users_SessionInitiated: log(['user'], { user: 'sessions' }),
  users_SessionSteppedUp: log(['user'], { user: 'sessions' }),
  users_SessionTerminated: log(['user'], { user: 'sessions' }),
  users_SignInFailed: log(['user']),
  users_SecondFactorAdded: log(['user'], { user: 'users' }),
  users_SecondFactorRemoved: log(['user'], { user: 'users' }),
  users_SecondFactorFailed: log(['user'], { user: 'users' }),
  /** Perhaps the key was copied. Synced passkeys do not count. */
  users_PasskeyCounterWentBack: log(['user']),
  users_PasskeyRenamed: log(['user'], { user: 'users' }),
  users_RecoveryCodesRenewed: log(['user'], { user: 'users' }),
  users_IdentityLinked: log(['user'], { user: 'users' }),
  users_ProviderTested: log(['user'], {}),
  users_IdentityUnlinked: log(['user'], { user: 'users' }),
  users_RegistrationCreated: log(['user'], { user: 'users' }),
  users_RegistrationLinkIssued: log(['user']),
  users_RegistrationDeleted: log(['user'], { user: 'users' }),
  users_RegistrationEmailSent: log(['user']),
  users_RegistrationCompleted: log(['user'], { user: 'users' }),
  /** A hint, so that no log tells those who invite whether an address has an account. */
  users_InvitationsChanged: hint(['user'], { user: 'invitations' }),
  projects_Created: log(['project'], { project: 'projects' }),
  projects_Deleted: log([], { project: 'projects' }),
  projects_NameChanged: log(['project'], { project: 'projects' }),
  projects_VersionFieldsChanged: log(['project'], { project: 'projects' }),
  projects_PoliciesChanged: log(['project'], { project: 'projects' }),
  projects_MemberAdded: log(['user', 'project'], { project: 'members', user: 'projects' }),
  projects_MemberRemoved: log(['user', 'project'], { project: 'members', user: 'projects' }),
  projects_MemberRoleChanged: log(['user', 'project'], { project: 'members', user: 'projects' }),
  projects_InvitationCreated: log(['project'], { project: 'invitations' }),
  projects_InvitationDeleted: log(['project'], { project: 'invitations' }),
  projects_InvitationResent: log(['project'], { project: 'invitations' }),
  projects_InvitationLinkIssued: log(['project']),
  projects_InvitationAccepted: log(['user', 'project'], { project: 'invitations', user: 'invitations' }),
  projects_InvitationDeclined: log(['user', 'project'], { project: 'invitations', user: 'invitations' }),
  projects_InvitationExpired: log(['project'], { project: 'invitations' }),
  projects_InvitationMailed: hint(['project'], { project: 'invitations' }),
  projects_DeploymentTokenCreated: log(['project'], { project: 'tokens' }),
  projects_DeploymentTokenDeleted: log(['project'], { project: 'tokens' }),
  projects_DeploymentTokenFlagsChanged: log(['project'], { project: 'tokens' }),
  projects_PairingKeyCreated: log(['project'], { project: 'tokens' }),
  projects_PairingKeyRevoked: log(['project'], { project: 'tokens' }),
  projects_PairingKeyRedeemed: log(['project', 'device'], { project: 'tokens' }),
  projects_RepositoryAdded: log(['project', 'repository'], {
    project: 'repositories',
    repository: 'repositories',
  }),
  projects_RepositoryRemoved: log(['project', 'repository'], {
    project: 'repositories',
    repository: 'repositories',
  }),
  /** A hint, since the views are of one user only. */
  projects_SavedViewsChanged: hint(['user'], { user: 'views' }),
  devices_Created: log(['project', 'device'], { project: 'devices' }),
  devices_Deleted: log(['project'], { project: 'devices' }),
  devices_NameChanged: log(['project', 'device'], { project: 'devices' }),
  devices_LabelChanged: log(['project', 'device'], { project: 'devices' }),
  devices_CertificateAdded: log(['project', 'device'], { project: 'certificates' }),
  devices_CertificateDeleted: log(['project', 'device'], { project: 'certificates' }),
  devices_CertificateStatusChanged: log(['project', 'device'], { project: 'certificates' }),
  devices_CertificateRotationStarted: log(['project', 'device'], { project: 'certificates' }),
  /** By the device, over its old certificate. */
  devices_CertificateRotationAnnounced: log(['project', 'device'], { project: 'certificates' }),
  /** The device came with its new certificate. */
  devices_CertificateRotationArrived: log(['project', 'device'], { project: 'certificates' }),
  devices_CertificateRotationCompleted: log(['project', 'device'], { project: 'certificates' }),
  /** The device came back with an old certificate. */
  devices_CertificateRotationRolledBack: log(['project', 'device'], { project: 'certificates' }),
  devices_CertificateRotationExpired: log(['project', 'device'], { project: 'certificates' }),
  devices_CertificateRotationCancelled: log(['project', 'device'], { project: 'certificates' }),
  /** By an authority of the project, at the wish of the device. */
  devices_CertificateIssued: log(['project', 'device'], { project: 'certificates' }),
  projects_CertificateAuthorityCreated: log(['project'], { project: 'certificates' }),
  projects_CertificateAuthorityDeleted: log(['project'], { project: 'certificates' }),
  projects_CertificatePolicyChanged: log(['project'], { project: 'certificates' }),
  devices_TokenIssued: log(['project', 'device']),
  devices_HttpProxyTokenIssued: log(['project', 'device']),
  devices_ConnectionChanged: hint(['project'], { project: 'connections' }),
  devices_ArrivalRefused: hint(['project'], { project: 'events' }),
  devices_EventsPublished: hint(['project'], { project: 'events' }),
  devices_PropertiesChanged: hint(['project'], { project: 'properties' }),
  /** The hostname or the health of a device, which lists show, is another. */
  devices_ListedFieldsChanged: hint(['project'], { project: 'devices' }),
  devices_MetadataChanged: hint(['project'], { project: 'devices' }),
  devices_OperationCreated: log(['project', 'device'], { project: 'operations' }),
  devices_OperationStarted: log(['project', 'device'], { project: 'operations' }),
  devices_OperationCancelled: log(['project', 'device'], { project: 'operations' }),
  /** Only of operations that are not part of one of a fleet. */
  devices_OperationFinished: log(['project', 'device'], { project: 'operations' }),
  fleet_OperationCreated: log(['project'], { project: 'operations' }),
  fleet_OperationStarted: log(['project'], { project: 'operations' }),
  fleet_OperationResumed: log(['project'], { project: 'operations' }),
  /** By a person, or by the hub because too many devices failed. */
  fleet_OperationPaused: log(['project'], { project: 'operations' }),
  fleet_OperationCancelled: log(['project'], { project: 'operations' }),
  fleet_OperationStageAdvanced: log(['project'], { project: 'operations' }),
  fleet_OperationRetried: log(['project'], { project: 'operations' }),
  fleet_OperationPaceChanged: log(['project'], { project: 'operations' }),
  /** Its data has a digest of how each device ended, so that the audit log covers the results. */
  fleet_OperationFinished: log(['project'], { project: 'operations' }),
  /** Devices of an operation went on; at most four times a second for each operation. */
  fleet_OperationProgressed: hint(['project'], { project: 'operations' }),
  /** Of many devices; each of them has an event of its own besides. */
  fleet_ChangeStarted: log(['project'], { project: 'changes' }),
  fleet_ChangeFinished: log(['project'], { project: 'changes' }),
  /** Further devices of a change were changed. */
  fleet_ChangeProgressed: hint(['project'], { project: 'changes' }),
  /** A change of many devices may go on. */
  fleet_ChangeDue: hint([]),
  /** A device has a step that it does itself: the node that holds its connection hands it out. */
  devices_OperationWorkAvailable: hint([]),
  /** An operation may go on: places are free, or it was started. */
  fleet_OperationDue: hint([]),
  projects_WebhookCreated: log(['project'], { project: 'webhooks' }),
  projects_WebhookChanged: log(['project'], { project: 'webhooks' }),
  projects_WebhookSecretRotated: log(['project'], { project: 'webhooks' }),
  projects_WebhookDeleted: log(['project'], { project: 'webhooks' }),
  /** By the hub: the receiver asked for it, or it failed for five days. */
  projects_WebhookDisabled: log(['project'], { project: 'webhooks' }),
  /** A message was tried. */
  projects_WebhookDelivered: hint(['project'], { project: 'webhooks' }),
  alerts_RuleCreated: log(['project'], { project: 'alerts' }),
  alerts_RuleChanged: log(['project'], { project: 'alerts' }),
  alerts_RuleDeleted: log(['project'], { project: 'alerts' }),
  alerts_Muted: log(['project'], { project: 'alerts' }),
  alerts_Unmuted: log(['project'], { project: 'alerts' }),
  /** By a person; with how many, not with each. */
  alerts_Acknowledged: log(['project'], { project: 'alerts' }),
  /** By the hub: people were told of alerts that fire or have ended. */
  alerts_Told: log(['project'], { project: 'alerts' }),
  /** Alerts began, fired or ended; at most once a second for each rule. */
  alerts_Changed: hint(['project'], { project: 'alerts' }),
  projects_OtlpConfigChanged: log(['project'], { project: 'otlp' }),
  /** Records were sent, or could not be; at most once in some seconds for each stream. */
  projects_OtlpExported: hint(['project'], { project: 'otlp' }),
  /** Also one that waits for an approval. */
  devices_TerminalOpened: log(['project', 'device'], { project: 'terminals' }),
  /** Or refused, as its data says. */
  devices_TerminalApproved: log(['project', 'device'], { project: 'terminals' }),
  /** It goes on where output cannot be recorded, though the project requires that. */
  devices_TerminalRecordingWaived: log(['project', 'device'], { project: 'terminals' }),
  /** With its duration, and the digest of its recording. */
  devices_TerminalEnded: log(['project', 'device'], { project: 'terminals' }),
  devices_RecordingRead: log(['project', 'device']),
  devices_FileUrlIssued: log(['project', 'device']),
  /** A file was fetched, or put: with its path, size and digest. */
  devices_FileTransferred: log(['project', 'device']),
  projects_TerminalPolicyChanged: log(['project'], { project: 'projects' }),
  /** Somebody entered a terminal. */
  devices_TerminalEntered: hint(['project'], { project: 'terminals' }),
  /** The node that serves a terminal has to end it. */
  devices_TerminalEndWanted: hint([]),
  repositories_Created: log(['repository'], { repository: 'repositories' }),
  repositories_Deleted: log([], { repository: 'repositories' }),
  repositories_NameChanged: log(['repository'], { repository: 'repositories' }),
  repositories_VisibilityChanged: log(['repository'], { repository: 'repositories' }),
  repositories_QuotaChanged: log(['repository'], { repository: 'repositories' }),
  repositories_StoreChanged: log(['repository'], { repository: 'repositories' }),
  repositories_MemberAdded: log(['user', 'repository'], { repository: 'members', user: 'repositories' }),
  repositories_MemberRemoved: log(['user', 'repository'], { repository: 'members', user: 'repositories' }),
  repositories_MemberRoleChanged: log(['user', 'repository'], {
    repository: 'members',
    user: 'repositories',
  }),
  repositories_InvitationCreated: log(['repository'], { repository: 'invitations' }),
  repositories_InvitationDeleted: log(['repository'], { repository: 'invitations' }),
  repositories_InvitationResent: log(['repository'], { repository: 'invitations' }),
  repositories_InvitationLinkIssued: log(['repository']),
  repositories_InvitationAccepted: log(['user', 'repository'], {
    repository: 'invitations',
    user: 'invitations',
  }),
  repositories_InvitationDeclined: log(['user', 'repository'], {
    repository: 'invitations',
    user: 'invitations',
  }),
  repositories_InvitationExpired: log(['repository'], { repository: 'invitations' }),
  repositories_InvitationMailed: hint(['repository'], { repository: 'invitations' }),
  repositories_PackageCreated: log(['repository'], { repository: 'packages' }),
  repositories_PackageDeleted: log(['repository'], { repository: 'packages' }),
  repositories_PackageChanged: log(['repository'], { repository: 'packages' }),
  repositories_VersionCreated: log(['repository'], { repository: 'packages' }),
  repositories_VersionDeleted: log(['repository'], { repository: 'packages' }),
  repositories_VersionChanged: log(['repository'], { repository: 'packages' }),
  repositories_TagMoved: log(['repository'], { repository: 'packages' }),
  repositories_TagRemoved: log(['repository'], { repository: 'packages' }),
  repositories_FileAdded: log(['repository'], { repository: 'packages' }),
  repositories_FileRemoved: log(['repository'], { repository: 'packages' }),
  repositories_FileChanged: log(['repository'], { repository: 'packages' }),
  repositories_PublisherAdded: log(['repository'], { repository: 'publishers' }),
  repositories_PublisherDeleted: log(['repository'], { repository: 'publishers' }),
  repositories_PublisherUsed: log(['repository'], { repository: 'publishers' }),
  repositories_PublishingRefused: log(['repository'], { repository: 'publishers' }),
  repositories_AssetCreated: log(['repository'], { repository: 'assets' }),
  repositories_AssetAvailable: log(['repository'], { repository: 'assets' }),
  /** At most once an hour for an asset and an actor. */
  repositories_AssetDownloadIssued: log(['repository']),
  repositories_AssetDeleted: log(['repository'], { repository: 'assets' }),
  /** The hub has deleted the bytes of an asset that nothing referred to, or that was deleted before. */
  repositories_AssetCollected: log(['repository'], { repository: 'assets' }),
  repositories_AssetDamaged: log(['repository'], { repository: 'assets' }),
  repositories_AssetChecked: hint(['repository'], { repository: 'assets' }),
  instance_SettingChanged: log([], { everyone: 'settings' }),
  jobs_Retried: log([], { administrators: 'jobs' }),
  jobs_Cancelled: log([], { administrators: 'jobs' }),
  mail_Queued: hint([]),
  audit_LogCheckRequested: hint([]),
  /** The oldest rows of the audit log were removed. The audit log and the outbox keep names of events, so this one stays. */
  audit_RecordCut: log([]),
  cluster_NodesChanged: hint([], { everyone: 'cluster' }),
} as const satisfies Record<string, EventRow>;

/** The name of a domain event. */
export type EventName = keyof typeof events;

/** A domain event on the bus, sent after the commit of its action. */
export interface DomainEvent {
  readonly name: EventName;
  readonly data: Readonly<Record<string, Json>>;
  readonly actor: Actor;
  /** RFC 3339, UTC. */
  readonly at: string;
}
