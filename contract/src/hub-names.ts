/** Names of the first generation for what only the hub itself does. They are no actions: nobody outside can call them, and is told so. */
export const hubOnlyNames: ReadonlySet<string> = new Set([
  'cluster_CleanupInactiveClusterNodes',
  'cluster_RegisterClusterNode',
  'cluster_ReportClusterNodeHeartbeat',
  'users_CleanupExpiredUserSessions',
]);
