/** Names of both generations of clients for what only the hub itself does. They are no actions: nobody outside can call them, and is told so. */
export const hubOnlyNames: ReadonlySet<string> = new Set([
  'cluster_CleanupInactiveClusterNodes',
  'cluster_RegisterClusterNode',
  'cluster_ReportClusterNodeHeartbeat',
  'devices_AuthenticateDevice',
  'devices_RegisterConnection',
  'devices_RegisterDeviceConnection',
  'devices_UnregisterConnection',
  'devices_UnregisterDeviceConnection',
  'users_AuthenticateWithSessionToken',
  'users_AuthenticateWithUserToken',
  'users_CleanupExpiredUserSessions',
]);
