// Generated from the files of this folder by `node tools/launch.cjs generate`.
import type { Handlers } from './handlers.ts';
import { GetActor } from './actor/GetActor.ts';
import { CountAuditLogActions } from './audit/CountAuditLogActions.ts';
import { FindRecentEvents } from './audit/FindRecentEvents.ts';
import { GetSealState } from './audit/GetSealState.ts';
import { QueryAuditLogActions } from './audit/QueryAuditLogActions.ts';
import { QueryAuditLogEvents as auditQueryAuditLogEvents } from './audit/QueryAuditLogEvents.ts';
import { VerifyLog } from './audit/VerifyLog.ts';
import { GetClusterDetails } from './cluster/GetClusterDetails.ts';
import { AddDeviceCertificate } from './devices/AddDeviceCertificate.ts';
import { AuthenticateDevice } from './devices/AuthenticateDevice.ts';
import { ClaimOperationWork } from './devices/ClaimOperationWork.ts';
import { CreateDevice } from './devices/CreateDevice.ts';
import { DeleteDevice } from './devices/DeleteDevice.ts';
import { DeleteDeviceCertificate } from './devices/DeleteDeviceCertificate.ts';
import { FindDeviceNode } from './devices/FindDeviceNode.ts';
import { FindEndedCredentials } from './devices/FindEndedCredentials.ts';
import { GetDeviceDetails } from './devices/GetDeviceDetails.ts';
import { GetDeviceProperty } from './devices/GetDeviceProperty.ts';
import { IssueDeviceHttpProxyToken } from './devices/IssueDeviceHttpProxyToken.ts';
import { IssueDeviceToken } from './devices/IssueDeviceToken.ts';
import { PublishDeviceEvents } from './devices/PublishDeviceEvents.ts';
import { QueryCommands } from './devices/QueryCommands.ts';
import { QueryConnections } from './devices/QueryConnections.ts';
import { QueryDeviceEvents } from './devices/QueryDeviceEvents.ts';
import { QueryDeviceProperties } from './devices/QueryDeviceProperties.ts';
import { QueryDevices } from './devices/QueryDevices.ts';
import { RedeemDeviceHttpProxyToken } from './devices/RedeemDeviceHttpProxyToken.ts';
import { RegisterDeviceConnection } from './devices/RegisterDeviceConnection.ts';
import { RemoveProperty } from './devices/RemoveProperty.ts';
import { ReportOperationStep } from './devices/ReportOperationStep.ts';
import { SetDeviceCertificateStatus } from './devices/SetDeviceCertificateStatus.ts';
import { SetDeviceMetadata } from './devices/SetDeviceMetadata.ts';
import { SetDeviceName } from './devices/SetDeviceName.ts';
import { SetDeviceProperty } from './devices/SetDeviceProperty.ts';
import { UnregisterDeviceConnection } from './devices/UnregisterDeviceConnection.ts';
import { ValidateDeviceHttpProxyToken } from './devices/ValidateDeviceHttpProxyToken.ts';
import { ValidateDeviceToken } from './devices/ValidateDeviceToken.ts';
import { GetInstanceSettingsRaw } from './instance/GetInstanceSettingsRaw.ts';
import { GetInstanceStatistics } from './instance/GetInstanceStatistics.ts';
import { SendTestMail } from './instance/SendTestMail.ts';
import { SetInstanceSettingRaw } from './instance/SetInstanceSettingRaw.ts';
import { CancelJob } from './jobs/CancelJob.ts';
import { CountJobs } from './jobs/CountJobs.ts';
import { QueryJobs } from './jobs/QueryJobs.ts';
import { RetryJob } from './jobs/RetryJob.ts';
import { AcceptDeviceCertificates } from './projects/AcceptDeviceCertificates.ts';
import { AddProjectMember } from './projects/AddProjectMember.ts';
import { AddProjectRepository } from './projects/AddProjectRepository.ts';
import { CountProjectDevices } from './projects/CountProjectDevices.ts';
import { CreateDeploymentToken } from './projects/CreateDeploymentToken.ts';
import { CreateProject } from './projects/CreateProject.ts';
import { DeleteDeploymentToken } from './projects/DeleteDeploymentToken.ts';
import { DeleteProject } from './projects/DeleteProject.ts';
import { DeleteProjectInvitation } from './projects/DeleteProjectInvitation.ts';
import { DeleteSavedView } from './projects/DeleteSavedView.ts';
import { ExportAuditLog } from './projects/ExportAuditLog.ts';
import { GetOtlpConfig } from './projects/GetOtlpConfig.ts';
import { GetProjectDetails } from './projects/GetProjectDetails.ts';
import { InviteProjectMember } from './projects/InviteProjectMember.ts';
import { IssueProjectInvitationLink } from './projects/IssueProjectInvitationLink.ts';
import { QueryAuditLog } from './projects/QueryAuditLog.ts';
import { QueryFilterFields } from './projects/QueryFilterFields.ts';
import { QueryPendingCertificates } from './projects/QueryPendingCertificates.ts';
import { QueryProjectDeploymentTokens } from './projects/QueryProjectDeploymentTokens.ts';
import { QueryProjectDevices } from './projects/QueryProjectDevices.ts';
import { QueryProjectInvitations } from './projects/QueryProjectInvitations.ts';
import { QueryProjectMembers } from './projects/QueryProjectMembers.ts';
import { QueryProjectRepositories } from './projects/QueryProjectRepositories.ts';
import { QueryProjects } from './projects/QueryProjects.ts';
import { QuerySavedViews } from './projects/QuerySavedViews.ts';
import { RedeemDevicePairingKey } from './projects/RedeemDevicePairingKey.ts';
import { RemoveProjectMember } from './projects/RemoveProjectMember.ts';
import { RemoveProjectRepository } from './projects/RemoveProjectRepository.ts';
import { ResendProjectInvitation } from './projects/ResendProjectInvitation.ts';
import { SaveView } from './projects/SaveView.ts';
import { SetDeploymentTokenFlags } from './projects/SetDeploymentTokenFlags.ts';
import { SetName } from './projects/SetName.ts';
import { SetOtlpConfig } from './projects/SetOtlpConfig.ts';
import { SetProjectMemberRole } from './projects/SetProjectMemberRole.ts';
import { AddPackageAsset } from './repositories/AddPackageAsset.ts';
import { AddPackageVersionAsset } from './repositories/AddPackageVersionAsset.ts';
import { AddRepositoryMember } from './repositories/AddRepositoryMember.ts';
import { BeginAssetUpload } from './repositories/BeginAssetUpload.ts';
import { ChangeMultipartUpload } from './repositories/ChangeMultipartUpload.ts';
import { ClaimAssetStores } from './repositories/ClaimAssetStores.ts';
import { CompareVersions } from './repositories/CompareVersions.ts';
import { CompleteAssetUploads } from './repositories/CompleteAssetUploads.ts';
import { CreateAsset } from './repositories/CreateAsset.ts';
import { CreatePackage } from './repositories/CreatePackage.ts';
import { CreatePackageVersion } from './repositories/CreatePackageVersion.ts';
import { CreateRepository } from './repositories/CreateRepository.ts';
import { DeleteAsset } from './repositories/DeleteAsset.ts';
import { DeleteMarkedAsset } from './repositories/DeleteMarkedAsset.ts';
import { DeletePackage } from './repositories/DeletePackage.ts';
import { DeletePackageVersion } from './repositories/DeletePackageVersion.ts';
import { DeleteRepository } from './repositories/DeleteRepository.ts';
import { DeleteRepositoryInvitation } from './repositories/DeleteRepositoryInvitation.ts';
import { ExtendAssetUpload } from './repositories/ExtendAssetUpload.ts';
import { FinalizeAssetUpload } from './repositories/FinalizeAssetUpload.ts';
import { FindAssetStores } from './repositories/FindAssetStores.ts';
import { FindAssetsByKey } from './repositories/FindAssetsByKey.ts';
import { FindAssetsToCheck } from './repositories/FindAssetsToCheck.ts';
import { GetAssetChunks } from './repositories/GetAssetChunks.ts';
import { GetAssetDetails } from './repositories/GetAssetDetails.ts';
import { GetAssetUrlKey } from './repositories/GetAssetUrlKey.ts';
import { GetObjectStore } from './repositories/GetObjectStore.ts';
import { GetPackageDetails } from './repositories/GetPackageDetails.ts';
import { GetPackageVersionDetails } from './repositories/GetPackageVersionDetails.ts';
import { GetRepositoryDetails } from './repositories/GetRepositoryDetails.ts';
import { GetRepositoryS3Config } from './repositories/GetRepositoryS3Config.ts';
import { GetS3Config } from './repositories/GetS3Config.ts';
import { InviteRepositoryMember } from './repositories/InviteRepositoryMember.ts';
import { IssueAssetDownloadUrl } from './repositories/IssueAssetDownloadUrl.ts';
import { IssueAssetUploadUrl } from './repositories/IssueAssetUploadUrl.ts';
import { IssueRepositoryInvitationLink } from './repositories/IssueRepositoryInvitationLink.ts';
import { LeaseMarkedAsset } from './repositories/LeaseMarkedAsset.ts';
import { MarkCollectableAssets } from './repositories/MarkCollectableAssets.ts';
import { MarkStrayObject } from './repositories/MarkStrayObject.ts';
import { OpenAssetDownload } from './repositories/OpenAssetDownload.ts';
import { QueryAssetReferences } from './repositories/QueryAssetReferences.ts';
import { QueryAuditLogEvents as repositoriesQueryAuditLogEvents } from './repositories/QueryAuditLogEvents.ts';
import { QueryPackageVersions } from './repositories/QueryPackageVersions.ts';
import { QueryRepositoryAssets } from './repositories/QueryRepositoryAssets.ts';
import { QueryRepositoryInvitations } from './repositories/QueryRepositoryInvitations.ts';
import { QueryRepositoryMembers } from './repositories/QueryRepositoryMembers.ts';
import { QueryRepositoryPackages } from './repositories/QueryRepositoryPackages.ts';
import { QueryRepositoryProjects } from './repositories/QueryRepositoryProjects.ts';
import { QueryTagHistory } from './repositories/QueryTagHistory.ts';
import { ReleaseAssetUpload } from './repositories/ReleaseAssetUpload.ts';
import { RemovePackageAsset } from './repositories/RemovePackageAsset.ts';
import { RemovePackageVersionAsset } from './repositories/RemovePackageVersionAsset.ts';
import { RemoveRepositoryMember } from './repositories/RemoveRepositoryMember.ts';
import { RemoveS3Config } from './repositories/RemoveS3Config.ts';
import { ReportAssetCheck } from './repositories/ReportAssetCheck.ts';
import { ResendRepositoryInvitation } from './repositories/ResendRepositoryInvitation.ts';
import { ResolvePackageByPath } from './repositories/ResolvePackageByPath.ts';
import { ResolvePackageVersionAssetByPath } from './repositories/ResolvePackageVersionAssetByPath.ts';
import { ResolvePackageVersionByPath } from './repositories/ResolvePackageVersionByPath.ts';
import { ResolvePublicFile } from './repositories/ResolvePublicFile.ts';
import { ResolveRepositoryName } from './repositories/ResolveRepositoryName.ts';
import { RetryAssetCheck } from './repositories/RetryAssetCheck.ts';
import { SetDisplayName } from './repositories/SetDisplayName.ts';
import { SetPackageAssetMetadata } from './repositories/SetPackageAssetMetadata.ts';
import { SetPackageKind } from './repositories/SetPackageKind.ts';
import { SetPackageMetadata } from './repositories/SetPackageMetadata.ts';
import { SetPackageName } from './repositories/SetPackageName.ts';
import { SetQuota } from './repositories/SetQuota.ts';
import { SetRepositoryMemberRole } from './repositories/SetRepositoryMemberRole.ts';
import { SetRepositoryS3Config } from './repositories/SetRepositoryS3Config.ts';
import { SetRepositoryVisibility } from './repositories/SetRepositoryVisibility.ts';
import { SetS3Config } from './repositories/SetS3Config.ts';
import { SetSlug } from './repositories/SetSlug.ts';
import { SetVersionAssetMetadata } from './repositories/SetVersionAssetMetadata.ts';
import { SetVersionMetadata } from './repositories/SetVersionMetadata.ts';
import { SetVersionName } from './repositories/SetVersionName.ts';
import { TagPackageVersion } from './repositories/TagPackageVersion.ts';
import { UntagPackageVersion } from './repositories/UntagPackageVersion.ts';
import { AcceptProjectInvitation } from './users/AcceptProjectInvitation.ts';
import { AcceptRepositoryInvitation } from './users/AcceptRepositoryInvitation.ts';
import { AuthenticateWithSessionToken } from './users/AuthenticateWithSessionToken.ts';
import { AuthenticateWithUserToken } from './users/AuthenticateWithUserToken.ts';
import { CompleteRegistration } from './users/CompleteRegistration.ts';
import { ConfirmUserEmail } from './users/ConfirmUserEmail.ts';
import { CountUsers } from './users/CountUsers.ts';
import { CreateUser } from './users/CreateUser.ts';
import { CreateUserToken } from './users/CreateUserToken.ts';
import { DecideLogin } from './users/DecideLogin.ts';
import { DeclineProjectInvitation } from './users/DeclineProjectInvitation.ts';
import { DeclineRepositoryInvitation } from './users/DeclineRepositoryInvitation.ts';
import { DeleteRegistration } from './users/DeleteRegistration.ts';
import { DeleteUser } from './users/DeleteUser.ts';
import { DeleteUserToken } from './users/DeleteUserToken.ts';
import { FindEndedTokens } from './users/FindEndedTokens.ts';
import { FindLogin } from './users/FindLogin.ts';
import { GetDevicePermissions } from './users/GetDevicePermissions.ts';
import { GetSessionPermissions } from './users/GetSessionPermissions.ts';
import { GetUserDeletion } from './users/GetUserDeletion.ts';
import { GetUserDetails } from './users/GetUserDetails.ts';
import { InitiateUserSession } from './users/InitiateUserSession.ts';
import { IssuePasswordLink } from './users/IssuePasswordLink.ts';
import { IssueRegistrationLink } from './users/IssueRegistrationLink.ts';
import { QueryRegistrations } from './users/QueryRegistrations.ts';
import { QueryUserProjectInvitations } from './users/QueryUserProjectInvitations.ts';
import { QueryUserProjects } from './users/QueryUserProjects.ts';
import { QueryUserRepositories } from './users/QueryUserRepositories.ts';
import { QueryUserRepositoryInvitations } from './users/QueryUserRepositoryInvitations.ts';
import { QueryUserSessions } from './users/QueryUserSessions.ts';
import { QueryUserTokens } from './users/QueryUserTokens.ts';
import { QueryUsers } from './users/QueryUsers.ts';
import { RedeemLogin } from './users/RedeemLogin.ts';
import { RegisterUser } from './users/RegisterUser.ts';
import { RequestLogin } from './users/RequestLogin.ts';
import { ResendRegistrationEmail } from './users/ResendRegistrationEmail.ts';
import { ResolveAccountLink } from './users/ResolveAccountLink.ts';
import { ResolveInvitation } from './users/ResolveInvitation.ts';
import { SendPasswordLink } from './users/SendPasswordLink.ts';
import { SetPasswordByLink } from './users/SetPasswordByLink.ts';
import { SetUserDisplayName } from './users/SetUserDisplayName.ts';
import { SetUserIsAdmin } from './users/SetUserIsAdmin.ts';
import { SetUserIsDisabled } from './users/SetUserIsDisabled.ts';
import { SetUserPassword } from './users/SetUserPassword.ts';
import { TerminateUserSession } from './users/TerminateUserSession.ts';

/** Every handler by its wire name. */
export const handlers = {
  actor_GetActor: GetActor,
  audit_CountAuditLogActions: CountAuditLogActions,
  audit_FindRecentEvents: FindRecentEvents,
  audit_GetSealState: GetSealState,
  audit_QueryAuditLogActions: QueryAuditLogActions,
  audit_QueryAuditLogEvents: auditQueryAuditLogEvents,
  audit_VerifyLog: VerifyLog,
  cluster_GetClusterDetails: GetClusterDetails,
  devices_AddDeviceCertificate: AddDeviceCertificate,
  devices_AuthenticateDevice: AuthenticateDevice,
  devices_ClaimOperationWork: ClaimOperationWork,
  devices_CreateDevice: CreateDevice,
  devices_DeleteDevice: DeleteDevice,
  devices_DeleteDeviceCertificate: DeleteDeviceCertificate,
  devices_FindDeviceNode: FindDeviceNode,
  devices_FindEndedCredentials: FindEndedCredentials,
  devices_GetDeviceDetails: GetDeviceDetails,
  devices_GetDeviceProperty: GetDeviceProperty,
  devices_IssueDeviceHttpProxyToken: IssueDeviceHttpProxyToken,
  devices_IssueDeviceToken: IssueDeviceToken,
  devices_PublishDeviceEvents: PublishDeviceEvents,
  devices_QueryCommands: QueryCommands,
  devices_QueryConnections: QueryConnections,
  devices_QueryDeviceEvents: QueryDeviceEvents,
  devices_QueryDeviceProperties: QueryDeviceProperties,
  devices_QueryDevices: QueryDevices,
  devices_RedeemDeviceHttpProxyToken: RedeemDeviceHttpProxyToken,
  devices_RegisterDeviceConnection: RegisterDeviceConnection,
  devices_RemoveProperty: RemoveProperty,
  devices_ReportOperationStep: ReportOperationStep,
  devices_SetDeviceCertificateStatus: SetDeviceCertificateStatus,
  devices_SetDeviceMetadata: SetDeviceMetadata,
  devices_SetDeviceName: SetDeviceName,
  devices_SetDeviceProperty: SetDeviceProperty,
  devices_UnregisterDeviceConnection: UnregisterDeviceConnection,
  devices_ValidateDeviceHttpProxyToken: ValidateDeviceHttpProxyToken,
  devices_ValidateDeviceToken: ValidateDeviceToken,
  instance_GetInstanceSettingsRaw: GetInstanceSettingsRaw,
  instance_GetInstanceStatistics: GetInstanceStatistics,
  instance_SendTestMail: SendTestMail,
  instance_SetInstanceSettingRaw: SetInstanceSettingRaw,
  jobs_CancelJob: CancelJob,
  jobs_CountJobs: CountJobs,
  jobs_QueryJobs: QueryJobs,
  jobs_RetryJob: RetryJob,
  projects_AcceptDeviceCertificates: AcceptDeviceCertificates,
  projects_AddProjectMember: AddProjectMember,
  projects_AddProjectRepository: AddProjectRepository,
  projects_CountProjectDevices: CountProjectDevices,
  projects_CreateDeploymentToken: CreateDeploymentToken,
  projects_CreateProject: CreateProject,
  projects_DeleteDeploymentToken: DeleteDeploymentToken,
  projects_DeleteProject: DeleteProject,
  projects_DeleteProjectInvitation: DeleteProjectInvitation,
  projects_DeleteSavedView: DeleteSavedView,
  projects_ExportAuditLog: ExportAuditLog,
  projects_GetOtlpConfig: GetOtlpConfig,
  projects_GetProjectDetails: GetProjectDetails,
  projects_InviteProjectMember: InviteProjectMember,
  projects_IssueProjectInvitationLink: IssueProjectInvitationLink,
  projects_QueryAuditLog: QueryAuditLog,
  projects_QueryFilterFields: QueryFilterFields,
  projects_QueryPendingCertificates: QueryPendingCertificates,
  projects_QueryProjectDeploymentTokens: QueryProjectDeploymentTokens,
  projects_QueryProjectDevices: QueryProjectDevices,
  projects_QueryProjectInvitations: QueryProjectInvitations,
  projects_QueryProjectMembers: QueryProjectMembers,
  projects_QueryProjectRepositories: QueryProjectRepositories,
  projects_QueryProjects: QueryProjects,
  projects_QuerySavedViews: QuerySavedViews,
  projects_RedeemDevicePairingKey: RedeemDevicePairingKey,
  projects_RemoveProjectMember: RemoveProjectMember,
  projects_RemoveProjectRepository: RemoveProjectRepository,
  projects_ResendProjectInvitation: ResendProjectInvitation,
  projects_SaveView: SaveView,
  projects_SetDeploymentTokenFlags: SetDeploymentTokenFlags,
  projects_SetName: SetName,
  projects_SetOtlpConfig: SetOtlpConfig,
  projects_SetProjectMemberRole: SetProjectMemberRole,
  repositories_AddPackageAsset: AddPackageAsset,
  repositories_AddPackageVersionAsset: AddPackageVersionAsset,
  repositories_AddRepositoryMember: AddRepositoryMember,
  repositories_BeginAssetUpload: BeginAssetUpload,
  repositories_ChangeMultipartUpload: ChangeMultipartUpload,
  repositories_ClaimAssetStores: ClaimAssetStores,
  repositories_CompareVersions: CompareVersions,
  repositories_CompleteAssetUploads: CompleteAssetUploads,
  repositories_CreateAsset: CreateAsset,
  repositories_CreatePackage: CreatePackage,
  repositories_CreatePackageVersion: CreatePackageVersion,
  repositories_CreateRepository: CreateRepository,
  repositories_DeleteAsset: DeleteAsset,
  repositories_DeleteMarkedAsset: DeleteMarkedAsset,
  repositories_DeletePackage: DeletePackage,
  repositories_DeletePackageVersion: DeletePackageVersion,
  repositories_DeleteRepository: DeleteRepository,
  repositories_DeleteRepositoryInvitation: DeleteRepositoryInvitation,
  repositories_ExtendAssetUpload: ExtendAssetUpload,
  repositories_FinalizeAssetUpload: FinalizeAssetUpload,
  repositories_FindAssetStores: FindAssetStores,
  repositories_FindAssetsByKey: FindAssetsByKey,
  repositories_FindAssetsToCheck: FindAssetsToCheck,
  repositories_GetAssetChunks: GetAssetChunks,
  repositories_GetAssetDetails: GetAssetDetails,
  repositories_GetAssetUrlKey: GetAssetUrlKey,
  repositories_GetObjectStore: GetObjectStore,
  repositories_GetPackageDetails: GetPackageDetails,
  repositories_GetPackageVersionDetails: GetPackageVersionDetails,
  repositories_GetRepositoryDetails: GetRepositoryDetails,
  repositories_GetRepositoryS3Config: GetRepositoryS3Config,
  repositories_GetS3Config: GetS3Config,
  repositories_InviteRepositoryMember: InviteRepositoryMember,
  repositories_IssueAssetDownloadUrl: IssueAssetDownloadUrl,
  repositories_IssueAssetUploadUrl: IssueAssetUploadUrl,
  repositories_IssueRepositoryInvitationLink: IssueRepositoryInvitationLink,
  repositories_LeaseMarkedAsset: LeaseMarkedAsset,
  repositories_MarkCollectableAssets: MarkCollectableAssets,
  repositories_MarkStrayObject: MarkStrayObject,
  repositories_OpenAssetDownload: OpenAssetDownload,
  repositories_QueryAssetReferences: QueryAssetReferences,
  repositories_QueryAuditLogEvents: repositoriesQueryAuditLogEvents,
  repositories_QueryPackageVersions: QueryPackageVersions,
  repositories_QueryRepositoryAssets: QueryRepositoryAssets,
  repositories_QueryRepositoryInvitations: QueryRepositoryInvitations,
  repositories_QueryRepositoryMembers: QueryRepositoryMembers,
  repositories_QueryRepositoryPackages: QueryRepositoryPackages,
  repositories_QueryRepositoryProjects: QueryRepositoryProjects,
  repositories_QueryTagHistory: QueryTagHistory,
  repositories_ReleaseAssetUpload: ReleaseAssetUpload,
  repositories_RemovePackageAsset: RemovePackageAsset,
  repositories_RemovePackageVersionAsset: RemovePackageVersionAsset,
  repositories_RemoveRepositoryMember: RemoveRepositoryMember,
  repositories_RemoveS3Config: RemoveS3Config,
  repositories_ReportAssetCheck: ReportAssetCheck,
  repositories_ResendRepositoryInvitation: ResendRepositoryInvitation,
  repositories_ResolvePackageByPath: ResolvePackageByPath,
  repositories_ResolvePackageVersionAssetByPath: ResolvePackageVersionAssetByPath,
  repositories_ResolvePackageVersionByPath: ResolvePackageVersionByPath,
  repositories_ResolvePublicFile: ResolvePublicFile,
  repositories_ResolveRepositoryName: ResolveRepositoryName,
  repositories_RetryAssetCheck: RetryAssetCheck,
  repositories_SetDisplayName: SetDisplayName,
  repositories_SetPackageAssetMetadata: SetPackageAssetMetadata,
  repositories_SetPackageKind: SetPackageKind,
  repositories_SetPackageMetadata: SetPackageMetadata,
  repositories_SetPackageName: SetPackageName,
  repositories_SetQuota: SetQuota,
  repositories_SetRepositoryMemberRole: SetRepositoryMemberRole,
  repositories_SetRepositoryS3Config: SetRepositoryS3Config,
  repositories_SetRepositoryVisibility: SetRepositoryVisibility,
  repositories_SetS3Config: SetS3Config,
  repositories_SetSlug: SetSlug,
  repositories_SetVersionAssetMetadata: SetVersionAssetMetadata,
  repositories_SetVersionMetadata: SetVersionMetadata,
  repositories_SetVersionName: SetVersionName,
  repositories_TagPackageVersion: TagPackageVersion,
  repositories_UntagPackageVersion: UntagPackageVersion,
  users_AcceptProjectInvitation: AcceptProjectInvitation,
  users_AcceptRepositoryInvitation: AcceptRepositoryInvitation,
  users_AuthenticateWithSessionToken: AuthenticateWithSessionToken,
  users_AuthenticateWithUserToken: AuthenticateWithUserToken,
  users_CompleteRegistration: CompleteRegistration,
  users_ConfirmUserEmail: ConfirmUserEmail,
  users_CountUsers: CountUsers,
  users_CreateUser: CreateUser,
  users_CreateUserToken: CreateUserToken,
  users_DecideLogin: DecideLogin,
  users_DeclineProjectInvitation: DeclineProjectInvitation,
  users_DeclineRepositoryInvitation: DeclineRepositoryInvitation,
  users_DeleteRegistration: DeleteRegistration,
  users_DeleteUser: DeleteUser,
  users_DeleteUserToken: DeleteUserToken,
  users_FindEndedTokens: FindEndedTokens,
  users_FindLogin: FindLogin,
  users_GetDevicePermissions: GetDevicePermissions,
  users_GetSessionPermissions: GetSessionPermissions,
  users_GetUserDeletion: GetUserDeletion,
  users_GetUserDetails: GetUserDetails,
  users_InitiateUserSession: InitiateUserSession,
  users_IssuePasswordLink: IssuePasswordLink,
  users_IssueRegistrationLink: IssueRegistrationLink,
  users_QueryRegistrations: QueryRegistrations,
  users_QueryUserProjectInvitations: QueryUserProjectInvitations,
  users_QueryUserProjects: QueryUserProjects,
  users_QueryUserRepositories: QueryUserRepositories,
  users_QueryUserRepositoryInvitations: QueryUserRepositoryInvitations,
  users_QueryUserSessions: QueryUserSessions,
  users_QueryUserTokens: QueryUserTokens,
  users_QueryUsers: QueryUsers,
  users_RedeemLogin: RedeemLogin,
  users_RegisterUser: RegisterUser,
  users_RequestLogin: RequestLogin,
  users_ResendRegistrationEmail: ResendRegistrationEmail,
  users_ResolveAccountLink: ResolveAccountLink,
  users_ResolveInvitation: ResolveInvitation,
  users_SendPasswordLink: SendPasswordLink,
  users_SetPasswordByLink: SetPasswordByLink,
  users_SetUserDisplayName: SetUserDisplayName,
  users_SetUserIsAdmin: SetUserIsAdmin,
  users_SetUserIsDisabled: SetUserIsDisabled,
  users_SetUserPassword: SetUserPassword,
  users_TerminateUserSession: TerminateUserSession,
} satisfies Handlers;
