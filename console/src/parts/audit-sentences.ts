import type { events } from '@corral/contract';
import { catalogue } from '../copy/catalogue.ts';

/** The names of the events that a log keeps. */
type LoggedEvent = {
  [Name in keyof typeof events]: (typeof events)[Name]['persistence'] extends 'log' ? Name : never;
}[keyof typeof events];

/** The data of an event. */
type Data = { readonly [key: string]: unknown };

/** What a change of many devices does. */
const changes = {
  Rename: 'renamed',
  SetLabel: 'set a label of',
  RemoveLabel: 'removed a label of',
  Accept: 'accepted the certificates of',
  Delete: 'deleted',
  RotateCertificates: 'opened a window to replace the certificates of',
  Undo: 'took back a change of',
};

/** What groups at the provider did. */
const byGroups = (isOwner: unknown): string =>
  isOwner ? 'Groups at the provider made {userId} an owner' : 'Groups at the provider made {userId} a member';

/** What happened, by the event: `{who}` is the actor, any other name in braces a value of its data; of several names the first one that the data has. */
export const auditSentences = catalogue('auditSentences', {
  users_Created: '{who} created the account {email}',
  users_Deleted: '{who} deleted the account {email}',
  users_SetIsAdmin: ({ isAdmin, fromGroups }: Data) =>
    fromGroups
      ? isAdmin
        ? 'Groups at the provider made {userId} an administrator'
        : 'Groups at the provider took administration from {userId}'
      : isAdmin
        ? '{who} made {userId} an administrator'
        : '{who} took administration from {userId}',
  users_SetIsDisabled: ({ isDisabled }: Data) =>
    isDisabled ? '{who} disabled {userId}' : '{who} enabled {userId} again',
  users_PasswordLinkSent: '{who} had a password link mailed to {userId}',
  users_PasswordLinkIssued: '{who} made a password link for {userId}',
  users_EmailConfirmed: '{userId} confirmed the e-mail address',
  users_SetPassword: 'The password of {userId} was changed by {who}',
  users_DisplayNameChanged: '{who} changed the display name of {userId} to {displayName}',
  users_TokenCreated: '{who} created {tokenId} of {userId}',
  users_TokenDeleted: '{who} deleted the token {name|tokenId} of {userId}',
  users_ServiceAccountCreated: '{who} made the service account {name}',
  users_ServiceAccountDeleted: '{who} deleted the service account {name}',
  users_SessionInitiated: '{userId} signed in',
  users_SessionSteppedUp: '{userId} confirmed who it is',
  users_SessionTerminated: 'A session of {userId} was ended by {who}',
  users_SignInFailed: 'A sign-in of {userId} failed',
  users_IdentityLinked: '{userId} linked an account at the provider',
  users_ProviderTested: '{userId} signed in at the provider to try its settings',
  users_IdentityUnlinked: '{who} unlinked an account at the provider from {userId}',
  users_SecondFactorAdded: '{userId} set up a second factor',
  users_SecondFactorRemoved: '{who} removed the second factor of {userId}',
  users_PasskeyCounterWentBack: 'The counter of a passkey of {userId} went back: perhaps it was copied',
  users_PasskeyRenamed: '{userId} renamed a passkey',
  users_SecondFactorFailed: 'A second factor of {userId} was wrong, after the right password',
  users_RecoveryCodesRenewed: '{userId} made new recovery codes',
  users_RegistrationCreated: '{email} signed up',
  users_RegistrationLinkIssued: '{who} made an activation link for {userId}',
  users_RegistrationDeleted: '{who} deleted the registration of {email}',
  users_RegistrationEmailSent: 'The activation mail to {email} was sent',
  users_RegistrationCompleted: '{userId} activated the account',
  projects_Created: '{who} created the project {name}',
  projects_Deleted: '{who} deleted the project {name}',
  projects_NameChanged: '{who} renamed the project to {name}',
  projects_WebhookCreated: '{who} made the webhook {name}, which sends to {host}',
  projects_WebhookChanged: ({ isDisabled }: Data) =>
    isDisabled === true
      ? '{who} stopped the webhook {name}'
      : isDisabled === false
        ? '{who} enabled the webhook {name}'
        : '{who} changed the webhook {name}',
  projects_WebhookSecretRotated: '{who} made a new secret of the webhook {name}',
  projects_WebhookDeleted: '{who} deleted the webhook {name}',
  projects_WebhookDisabled: ({ reason }: Data) =>
    reason === 'ByReceiver'
      ? 'The receiver of the webhook {name} is gone, so it was disabled'
      : 'The webhook {name} failed for five days, so it was disabled',
  alerts_RuleCreated: '{who} made the alert rule {name}',
  alerts_RuleChanged: ({ isEnabled }: Data) =>
    isEnabled === false ? '{who} stopped the alert rule {name}' : '{who} changed the alert rule {name}',
  alerts_RuleDeleted: '{who} deleted the alert rule {name}',
  alerts_Muted: '{who} muted alerts',
  alerts_Unmuted: '{who} ended a mute of alerts',
  alerts_Acknowledged: ({ count }: Data) =>
    count === 1 ? '{who} acknowledged an alert' : '{who} acknowledged {count} alerts',
  alerts_Told: 'Alerts of the rule {name} were told',
  projects_OtlpConfigChanged: ({ isEnabled }: Data) =>
    isEnabled === true ? '{who} set up the export over OTLP to {host}' : '{who} stopped the export over OTLP',
  projects_VersionFieldsChanged: '{who} named the fields that are versions: {fields}',
  projects_PoliciesChanged: ({ approval }: Data) =>
    approval === null
      ? '{who} ended that operations need a second person'
      : '{who} changed which operations need a second person',
  projects_TerminalPolicyChanged: '{who} changed who may open terminals',
  devices_TerminalOpened: ({ user }: Data) =>
    user === undefined
      ? '{who} opened a terminal on {deviceId}'
      : '{who} opened a terminal on {deviceId} as {user}',
  devices_TerminalApproved: ({ isApproved }: Data) =>
    isApproved === false
      ? '{who} refused a terminal on {deviceId}'
      : '{who} approved a terminal on {deviceId}',
  devices_TerminalRecordingWaived: '{who} let a terminal on {deviceId} go on where it cannot be recorded',
  devices_TerminalEnded: 'A terminal on {deviceId} ended',
  devices_FileUrlIssued: ({ access }: Data) =>
    access === 'Write'
      ? '{who} asked to put {path} on {deviceId}'
      : '{who} asked for the file {path} of {deviceId}',
  devices_FileTransferred: ({ access }: Data) =>
    access === 'Write' ? '{who} put {path} on {deviceId}' : '{who} fetched {path} of {deviceId}',
  devices_RecordingRead: '{who} read the recording of a terminal on {deviceId}',
  projects_MemberAdded: ({ isOwner, fromGroups }: Data) =>
    fromGroups
      ? byGroups(isOwner)
      : isOwner
        ? '{who} made {userId} an owner'
        : '{who} added {userId} as a member',
  projects_MemberRemoved: ({ fromGroups }: Data) =>
    fromGroups ? 'Groups at the provider removed the member {userId}' : '{who} removed the member {userId}',
  projects_MemberRoleChanged: ({ isOwner, fromGroups }: Data) =>
    fromGroups
      ? byGroups(isOwner)
      : isOwner
        ? '{who} made {userId} an owner'
        : '{who} made {userId} a member',
  projects_InvitationCreated: '{who} invited {email}',
  projects_InvitationDeleted: '{who} withdrew the invitation of {email}',
  projects_InvitationResent: '{who} sent the invitation to {email} again',
  projects_InvitationLinkIssued: '{who} made an invitation link for {email}',
  projects_InvitationAccepted: '{userId} accepted the invitation to {email}',
  projects_InvitationDeclined: '{userId} declined the invitation to {email}',
  projects_InvitationExpired: 'The invitation of {email} expired',
  projects_PairingKeyCreated: '{who} made the pairing key {selector}',
  projects_PairingKeyRevoked: '{who} revoked the pairing key {selector}',
  projects_PairingKeyRedeemed: ({ deviceId }: Data) =>
    deviceId === undefined
      ? 'The pairing key {selector} was redeemed for {tokenId}'
      : 'The pairing key {selector} paired {deviceId}',
  projects_DeploymentTokenCreated: '{who} created {tokenId}',
  projects_DeploymentTokenDeleted: '{who} deleted the token {name|tokenId}',
  projects_DeploymentTokenFlagsChanged: ({ flags }: Data) =>
    isOn(flags, 'autoAccept')
      ? '{who} turned on auto accept of {tokenId}'
      : '{who} turned off auto accept of {tokenId}',
  projects_RepositoryAdded: '{who} linked {repositoryId}',
  projects_RepositoryRemoved: '{who} unlinked {name|repositoryId}',
  devices_Created: '{deviceId} was added by {who}',
  devices_Deleted: '{who} deleted the device {name|deviceId}',
  // Not {deviceId}, whose name is the present one.
  devices_NameChanged: '{who} renamed a device to {name}',
  devices_LabelChanged: ({ before, after }: Data) =>
    after === undefined
      ? '{who} removed the label {name} of {deviceId}, which was {before}'
      : before === undefined
        ? '{who} set the label {name} of {deviceId} to {after}'
        : '{who} changed the label {name} of {deviceId} from {before} to {after}',
  devices_CertificateAdded: ({ status }: Data) =>
    status === 'Pending'
      ? 'A certificate of {deviceId} waits for a decision'
      : 'A certificate of {deviceId} was added by {who}',
  devices_CertificateDeleted: '{who} deleted a certificate of {deviceId}',
  devices_CertificateStatusChanged: ({ status }: Data) =>
    status === 'Active'
      ? '{who} accepted a certificate of {deviceId}'
      : status === 'Rejected'
        ? '{who} rejected a certificate of {deviceId}'
        : status === 'Revoked'
          ? '{who} revoked a certificate of {deviceId}'
          : '{who} set a certificate of {deviceId} to {status}',
  devices_CertificateIssued: '{deviceId} was issued a certificate',
  projects_CertificateAuthorityCreated: '{who} created the certificate authority {name}',
  projects_CertificateAuthorityDeleted: '{who} deleted the certificate authority {name}',
  projects_CertificatePolicyChanged: '{who} changed which certificates devices need',
  devices_CertificateRotationStarted: '{who} opened a window to replace the certificate of {deviceId}',
  devices_CertificateRotationAnnounced: '{deviceId} announced a new certificate',
  devices_CertificateRotationArrived: '{deviceId} came with its new certificate',
  devices_CertificateRotationCompleted: 'The certificate of {deviceId} was replaced',
  devices_CertificateRotationRolledBack: '{deviceId} went back to its old certificate',
  devices_CertificateRotationExpired: 'The window to replace the certificate of {deviceId} closed',
  devices_CertificateRotationCancelled: '{who} ended the rotation of the certificate of {deviceId}',
  devices_TokenIssued: '{who} issued a token of {deviceId}',
  devices_HttpProxyTokenIssued: '{who} opened port {port} of {deviceId} in the browser',
  devices_OperationCreated: '{who} created the operation {deviceOperationId} on {deviceId}',
  devices_OperationStarted: ({ approvedFor }: Data) =>
    approvedFor === undefined
      ? '{who} started {deviceOperationId} on {deviceId}'
      : '{who} approved and started {deviceOperationId} on {deviceId}',
  devices_OperationCancelled: '{who} cancelled {deviceOperationId} on {deviceId}',
  devices_OperationFinished: ({ status }: Data) =>
    status === 'Succeeded'
      ? '{deviceOperationId} succeeded on {deviceId}'
      : status === 'TimedOut'
        ? '{deviceOperationId} took too long on {deviceId}'
        : '{deviceOperationId} failed on {deviceId}',
  fleet_OperationCreated: '{who} created the operation {fleetOperationId}',
  fleet_OperationStarted: ({ approvedFor }: Data) =>
    approvedFor === undefined
      ? '{who} started the operation {fleetOperationId}'
      : '{who} approved and started the operation {fleetOperationId}',
  fleet_OperationResumed: '{who} resumed the operation {fleetOperationId}',
  fleet_OperationPaused: ({ reason }: Data) =>
    reason === undefined
      ? '{who} paused the operation {fleetOperationId}'
      : '{who} paused the operation {fleetOperationId}: {reason}',
  fleet_OperationCancelled: '{who} cancelled the operation {fleetOperationId}',
  fleet_OperationStageAdvanced: '{who} opened the next stage of {fleetOperationId}',
  fleet_OperationRetried: '{who} retried {fleetOperationId} on the devices that failed',
  fleet_OperationPaceChanged: '{who} changed the pace of {fleetOperationId}',
  fleet_OperationFinished: ({ status }: Data) =>
    status === 'Completed'
      ? 'The operation {fleetOperationId} completed'
      : 'The operation {fleetOperationId} ended with failures',
  fleet_ChangeStarted: ({ change, undoes, devices }: Data) => {
    const begun = change as { readonly kind: keyof typeof changes } | undefined;
    const did = undoes !== undefined ? changes.Undo : begun === undefined ? 'changed' : changes[begun.kind];
    return `{who} ${did} ${devices === 1 ? '1 device' : '{devices} devices'}: {jobId}`;
  },
  fleet_ChangeFinished: ({ failed, isCancelled }: Data) =>
    isCancelled === true
      ? '{who} cancelled {jobId}: {done} changed, {failed} not'
      : failed === 0
        ? '{jobId} ended: {done} changed'
        : '{jobId} ended: {done} changed, {failed} not',
  repositories_Created: '{who} created the repository {name}',
  repositories_Deleted: '{who} deleted the repository {name}',
  repositories_NameChanged: '{who} renamed the repository to {name}',
  repositories_VisibilityChanged: '{who} made the repository {visibility}',
  repositories_QuotaChanged: '{who} changed what the repository may store',
  repositories_StoreChanged: '{who} changed where the repository stores its assets',
  repositories_MemberAdded: ({ isOwner }: Data) =>
    isOwner ? '{who} made {userId} an owner' : '{who} added {userId} as a member',
  repositories_MemberRemoved: '{who} removed the member {userId}',
  repositories_MemberRoleChanged: ({ isOwner }: Data) =>
    isOwner ? '{who} made {userId} an owner' : '{who} made {userId} a member',
  repositories_InvitationCreated: '{who} invited {email}',
  repositories_InvitationDeleted: '{who} withdrew the invitation of {email}',
  repositories_InvitationResent: '{who} sent the invitation to {email} again',
  repositories_InvitationLinkIssued: '{who} made an invitation link for {email}',
  repositories_InvitationAccepted: '{userId} accepted the invitation to {email}',
  repositories_InvitationDeclined: '{userId} declined the invitation to {email}',
  repositories_InvitationExpired: 'The invitation of {email} expired',
  repositories_PackageCreated: '{who} created the package {name}',
  repositories_PackageDeleted: '{who} deleted the package {name}',
  repositories_PackageChanged: '{who} changed {packageId}',
  repositories_VersionCreated: '{who} published version {name|versionId} of {packageId}',
  repositories_VersionDeleted: '{who} deleted version {name|versionId} of {packageId}',
  repositories_VersionChanged: '{who} changed {versionId}',
  repositories_TagMoved: '{who} moved the tag {tag} of {packageId}',
  repositories_TagRemoved: '{who} removed the tag {tag} of {packageId}',
  repositories_FileAdded: '{who} added the file {filename} to {versionId|packageId}',
  repositories_FileRemoved: '{who} removed the file {filename} from {versionId|packageId}',
  repositories_FileChanged: '{who} changed the file {filename} of {versionId|packageId}',
  repositories_PublisherAdded: '{who} allowed the jobs {name} of a CI to publish',
  repositories_PublisherDeleted: '{who} ended that the jobs {name} of a CI publish',
  repositories_PublisherUsed: 'The job {job} of a CI was let in to publish, as {name}',
  repositories_PublishingRefused: 'The job {job} of a CI was refused',
  repositories_AssetCreated: '{who} began to upload {assetId}',
  repositories_AssetAvailable: '{who} uploaded {assetId}',
  repositories_AssetDownloadIssued: '{who} downloaded {assetId}',
  repositories_AssetDeleted: '{who} deleted {assetId}',
  repositories_AssetCollected: 'The bytes of {assetId} were deleted, since nothing refers to them',
  repositories_AssetDamaged: 'The stored bytes of {assetId} are damaged',
  instance_SettingChanged: ({ value }: Data) =>
    value === null || value === undefined
      ? '{who} changed the setting {key}'
      : '{who} changed the setting {key} to {value}',
  jobs_Retried: '{who} ran the job {job} again',
  jobs_Cancelled: '{who} cancelled the job {job}',
  audit_RecordCut: 'The oldest {rows} rows of the log were removed by {who}',
} satisfies Record<LoggedEvent, string | ((data: Data) => string)>);

/** The words around ids and actors that have no name. */
export const sentenceWords = catalogue('sentenceWords', {
  hub: 'The hub',
  somebody: 'Somebody',
  kinds: {
    d: 'device',
    u: 'user',
    p: 'project',
    repo: 'repository',
    pkg: 'package',
    pkg_v: 'version',
    repo_a: 'asset',
    deployment_id: 'token',
    cluster_node: 'node',
    u_pk: 'token',
    d_op: 'operation',
    flt_op: 'operation',
    flt_job: 'change',
  },
  other: (event: string, who: string) => `${event} by ${who}`,
});

function isOn(flags: unknown, name: string): boolean {
  return typeof flags === 'object' && flags !== null && (flags as Data)[name] === true;
}
