// What the other domains, and the commands of operators, use of this one.
export { addPairedDevice } from './sql/paired-devices.ts';
export { hasDeviceAccess } from './sql/device-access.ts';
export { foreignGraceEnd, isAccepted } from './sql/accepted-certificates.ts';
export { rotateToIssued } from './policy/issued-rotation.ts';
export { isConnected } from './sql/presence.ts';
export { deviceLabel, shownName } from './sql/shown-name.ts';
export { readVersions } from './sql/overview/versions.ts';
export { setProperty, unsetProperty } from './policy/property-writes.ts';
export { lockDevice, readPropertiesNamed, readUnparsedProperty } from './sql/device-properties.ts';
export { commandsProperty, installedProperty, systemInfoProperty } from './sql/known-properties.ts';
export { liveConnection } from './sql/presence.ts';
export { eventFilterSql } from './sql/filters/event-filter.ts';
export { readDeviceFilter } from './sql/filters/device-filter.ts';
export { applyChange, storedChange } from './policy/apply-change.ts';
export { changeSql, type DeviceChange } from './sql/change-previews.ts';
