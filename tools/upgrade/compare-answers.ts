import type { Answer } from './read-hub.ts';

/** Queries, fields, and fields of queries that say how it is now and not what is kept. */
const ofNow = new Set([
  // The nodes and jobs that run, and what they use.
  'cluster_GetClusterDetails',
  'jobs_CountJobs',
  'jobs_QueryJobs',
  'instance_GetInstanceStatistics.storage',
  // Steps of time up to now.
  'projects_QueryHistory',
  'projects_QueryVersionHistory',
  'instance_QueryHistory',
  'fleet_QueryOperationHistory',
  'repositories_QueryStoredBytes',
  'projects_GetOverview.at',
  // The device that connects again, and what it reports of its disk.
  'devices_GetPresence',
  'devices_GetDeviceDetails.connections',
  'devices_GetDeviceDetails.usage',
  // Its entries are read from where they come, and a property has only its newest one.
  'devices_QueryTimeline',
  'lastConnectedAt',
  'lastSeenAt',
  'lastUsedAt',
  'currentConnectionDurationSecs',
  'connectedForSecs',
  'durationSecs',
  'dev.nexigon.system.info',
  // What is found is told in a batch a little later.
  'alerts_QueryRules.toldAt',
  // The log goes on: a device that connects, and the start of the hub.
  'audit_GetSealState',
  'audit_CountAuditLogActions',
]);

/** Lists that may have more entries than before. */
const growing = new Set([
  'audit_QueryAuditLogActions.actions',
  'audit_QueryAuditLogEvents.events',
  'projects_QueryAuditLog.events',
  'projects_ExportAuditLog.lines',
  'repositories_QueryAuditLogEvents.events',
  'devices_QueryConnections.connections',
  'devices_GetDeviceDetails.recentConnections',
  'users_QuerySignIns.signIns',
]);

/** Where the answers of a later hub lack something of the earlier ones, or differ; new fields are allowed. Empty if nothing was lost. */
export function differences(before: readonly Answer[], after: readonly Answer[]): string[] {
  return before.flatMap(({ name, input, reader, answer }, index) =>
    differ(name, answer, after[index]?.answer).map(
      (what) => `${name} ${JSON.stringify(input)} as ${reader}: ${what}`,
    ),
  );
}

function differ(name: string, before: unknown, after: unknown, path = ''): string[] {
  const field = /[^/]*$/.exec(path)?.[0] ?? '';
  if ([name, field, `${name}.${field}`].some((each) => ofNow.has(each))) return [];
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null)
    return before === after ? [] : [`${path} was ${JSON.stringify(before)} and is ${JSON.stringify(after)}`];
  if (!Array.isArray(before) || !Array.isArray(after))
    return Object.entries(before).flatMap(([key, value]) =>
      differ(name, value, (after as Record<string, unknown>)[key], `${path}/${key}`),
    );
  const later: unknown[] = [...after];
  if (growing.has(`${name}.${field}`))
    return before
      .filter((entry) => !later.some((each) => differ(name, entry, each).length === 0))
      .map((entry) => `${path} no longer has ${JSON.stringify(entry)}`);
  if (before.length !== later.length) return [`${path} had ${before.length} entries and has ${later.length}`];
  return before.flatMap((entry, index) => differ(name, entry, later[index], `${path}/${index}`));
}
