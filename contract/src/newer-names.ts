import { actions, isActionName, type ActionName } from './catalogue.ts';
import { defaultMaxInputBytes } from './define.ts';

/** The names of clients of 2026 for actions that clients of 2025 call by another name; both names share one definition. */
export const newerNames = {
  users_Query: 'users_QueryUsers',
  users_GetDetails: 'users_GetUserDetails',
  users_Create: 'users_CreateUser',
  users_Delete: 'users_DeleteUser',
  users_SetDisplayName: 'users_SetUserDisplayName',
  users_SetIsAdmin: 'users_SetUserIsAdmin',
  users_SetPassword: 'users_SetUserPassword',
  users_QueryTokens: 'users_QueryUserTokens',
  users_QuerySessions: 'users_QueryUserSessions',
  users_CreateToken: 'users_CreateUserToken',
  users_DeleteToken: 'users_DeleteUserToken',
  users_TerminateSession: 'users_TerminateUserSession',
  users_Register: 'users_RegisterUser',
  projects_Query: 'projects_QueryProjects',
  projects_GetDetails: 'projects_GetProjectDetails',
  projects_Create: 'projects_CreateProject',
  projects_Delete: 'projects_DeleteProject',
  projects_QueryDevices: 'projects_QueryProjectDevices',
  projects_QueryDeploymentTokens: 'projects_QueryProjectDeploymentTokens',
  projects_QueryLinkedRepositories: 'projects_QueryProjectRepositories',
  projects_LinkRepository: 'projects_AddProjectRepository',
  projects_UnlinkRepository: 'projects_RemoveProjectRepository',
  devices_Query: 'devices_QueryDevices',
  devices_GetDetails: 'devices_GetDeviceDetails',
  devices_Create: 'devices_CreateDevice',
  devices_Delete: 'devices_DeleteDevice',
  devices_SetName: 'devices_SetDeviceName',
  devices_AddCertificate: 'devices_AddDeviceCertificate',
  devices_DeleteCertificate: 'devices_DeleteDeviceCertificate',
  devices_SetCertificateStatus: 'devices_SetDeviceCertificateStatus',
  devices_IssueHttpProxyToken: 'devices_IssueDeviceHttpProxyToken',
  devices_ValidateHttpProxyToken: 'devices_ValidateDeviceHttpProxyToken',
  devices_PublishEvents: 'devices_PublishDeviceEvents',
  devices_QueryEvents: 'devices_QueryDeviceEvents',
  devices_SetProperty: 'devices_SetDeviceProperty',
  devices_GetProperty: 'devices_GetDeviceProperty',
  devices_QueryProperties: 'devices_QueryDeviceProperties',
  repositories_ResolveName: 'repositories_ResolveRepositoryName',
  repositories_GetDetails: 'repositories_GetRepositoryDetails',
  repositories_Create: 'repositories_CreateRepository',
  repositories_Delete: 'repositories_DeleteRepository',
  repositories_SetVisibility: 'repositories_SetRepositoryVisibility',
  repositories_QueryPackages: 'repositories_QueryRepositoryPackages',
  repositories_QueryAssets: 'repositories_QueryRepositoryAssets',
  repositories_QueryLinkedProjects: 'repositories_QueryRepositoryProjects',
  repositories_ResolveVersionByPath: 'repositories_ResolvePackageVersionByPath',
  repositories_GetVersionDetails: 'repositories_GetPackageVersionDetails',
  repositories_CreateVersion: 'repositories_CreatePackageVersion',
  repositories_DeleteVersion: 'repositories_DeletePackageVersion',
  repositories_AddVersionAsset: 'repositories_AddPackageVersionAsset',
  repositories_RemoveVersionAsset: 'repositories_RemovePackageVersionAsset',
  repositories_TagVersion: 'repositories_TagPackageVersion',
  repositories_UntagVersion: 'repositories_UntagPackageVersion',
  repositories_ResolveVersionAssetByPath: 'repositories_ResolvePackageVersionAssetByPath',
  repositories_QueryAuditLog: 'repositories_QueryAuditLogEvents',
  jobs_Query: 'jobs_QueryJobs',
  instance_GetStatistics: 'instance_GetInstanceStatistics',
  instance_GetSettingsRaw: 'instance_GetInstanceSettingsRaw',
  instance_SetSettingRaw: 'instance_SetInstanceSettingRaw',
} as const satisfies Record<string, ActionName>;

/** Actions that clients of 2025 do not know. */
const newerActions: ReadonlySet<ActionName> = new Set<ActionName>([
  'devices_RemoveProperty',
  'devices_QueryConnections',
  'devices_QueryCommands',
  'devices_QueryOperations',
  'devices_GetOperation',
  'devices_CreateOperation',
  'devices_StartOperation',
  'devices_CancelOperation',
  'fleet_QueryOperations',
  'fleet_GetOperation',
  'fleet_CreateOperation',
  'fleet_StartOperation',
  'fleet_PauseOperation',
  'fleet_CancelOperation',
  'fleet_AdvanceOperationStage',
  'fleet_QueryOperationTargets',
  'fleet_QueryOperationSelectionErrors',
  'devices_ClaimOperationWork',
  'devices_ReportOperationStep',
  'projects_SetName',
  'projects_GetOtlpConfig',
  'projects_SetOtlpConfig',
  'projects_CreateDevicePairingKey',
  'projects_QueryDevicePairingKeys',
  'projects_RevokeDevicePairingKey',
  'projects_RedeemDevicePairingKey',
  'repositories_FinalizeAssetUpload',
  'repositories_GetS3Config',
  'repositories_SetS3Config',
  'repositories_SetDisplayName',
  'repositories_SetSlug',
  'repositories_SetQuota',
  'repositories_SetPackageName',
  'repositories_SetPackageKind',
  'repositories_SetPackageMetadata',
  'repositories_AddPackageAsset',
  'repositories_RemovePackageAsset',
  'repositories_SetPackageAssetMetadata',
  'repositories_SetVersionName',
  'repositories_SetVersionMetadata',
  'repositories_SetVersionAssetMetadata',
  'repositories_QueryTagHistory',
  'repositories_CompareVersions',
]);

/** The action by its own or its newer name; undefined if there is none. */
export function actionNamed(name: string): ActionName | undefined {
  if (isActionName(name)) return name;
  return Object.hasOwn(newerNames, name) ? newerNames[name as keyof typeof newerNames] : undefined;
}

/** How large the input of a call by this name may be as JSON, in bytes. */
export function maxInputBytesOf(name: string): number {
  const action = actionNamed(name);
  return action === undefined ? defaultMaxInputBytes : actions[action].maxInputBytes;
}

/** Whether only clients of 2026 use this name: their decoders also know RateLimited. */
export function isNewerName(name: string): boolean {
  return Object.hasOwn(newerNames, name) || (isActionName(name) && newerActions.has(name));
}
