// What the other domains, and the commands of operators, use of this one.
export { hasDeviceAccess } from './sql/device-access.ts';
export { isConnected } from './sql/presence.ts';
export { readVersions } from './sql/overview-versions.ts';
