// What the other domains, and the commands of operators, use of this one.
export { holdsLease, liveNodes, nodeOfDevice, type LiveNode } from './sql/cluster-nodes.ts';
export { instanceIdOf, publicInstanceId } from './sql/instance-id.ts';
export {
  existingInstanceKey,
  instanceKey,
  missingVaultKeys,
  reencryptInstanceKeys,
  vaultKeysInUse,
  type KeyContext,
} from './sql/instance-keys.ts';
export {
  defaultQuotas,
  readDeviceQuota,
  readSecretSetting,
  readSetting,
  readSettings,
  saveSetting,
  type StoredSettings,
} from './sql/instance-settings.ts';
export { findFailingJobs } from './sql/jobs.ts';
export { readNewestRelease } from './jobs/look-for-release.ts';
export { notesSince } from './sql/newest-release.ts';
export { settingsOfRecentNodes } from './sql/node-settings.ts';
