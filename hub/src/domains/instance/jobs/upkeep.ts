import type { Executor } from '../../../calls/executor.ts';
import { type Given, type Internal, systemCaller } from '../../../calls/handler.ts';
import type { ScheduledJob } from '../../../platform/jobs/start-jobs.ts';
import { DeleteOldAlerts } from '../../alerts/internal/DeleteOldAlerts.ts';
import { DeleteOldConnections } from '../../devices/internal/DeleteOldConnections.ts';
import { DeleteOldPropertyChanges } from '../../devices/internal/DeleteOldPropertyChanges.ts';
import { DeleteUnusedPropertyNames } from '../../devices/internal/DeleteUnusedPropertyNames.ts';
import { RecordSilences } from '../../devices/internal/RecordSilences.ts';
import { RotateEventPartitions } from '../../devices/internal/RotateEventPartitions.ts';
import { PruneOperations } from '../../fleet/internal/PruneOperations.ts';
import { RecordHistory } from '../../history/internal/RecordHistory.ts';
import { RecordVersions } from '../../history/internal/RecordVersions.ts';
import { CleanupExpiredInvitations } from '../../members/internal/CleanupExpiredInvitations.ts';
import { DeleteOldOperations } from '../../operations/internal/DeleteOldOperations.ts';
import { AnnounceExpiringTokens } from '../../users/internal/AnnounceExpiringTokens.ts';
import { CleanupExpiredUserSessions } from '../../users/internal/CleanupExpiredUserSessions.ts';
import { PruneMessages } from '../../webhooks/internal/PruneMessages.ts';
import { RecordStatistics } from '../internal/RecordStatistics.ts';

const hourSecs = 3600;

/**
 * Ensures that the partitions for this month's events exist; the hub calls it before it serves, and the upkeep from then on. Only the upkeep gives a retention: when a
 * whole cluster starts, the first node does not know yet how long the others keep events.
 */
export async function rotateEventPartitions(executor: Executor, retentionMonths?: number): Promise<void> {
  const input = retentionMonths === undefined ? {} : { retentionMonths };
  await executor.run(systemCaller, RotateEventPartitions, input);
}

/** The upkeep of the database, and its history; spread over the hour, so that the jobs do not run at the same time. */
export function upkeepJobs(executor: Executor, retentionMonths: () => number): ScheduledJob[] {
  return [
    {
      name: 'rotate-event-partitions',
      cron: '7 * * * *',
      run: () => rotateEventPartitions(executor, retentionMonths()),
    },
    {
      name: 'delete-old-connections',
      cron: '22 * * * *',
      run: () => executor.run(systemCaller, DeleteOldConnections),
    },
    {
      name: 'record-history',
      cron: '* * * * *',
      run: (ending) => recordHistory(executor, ending),
      keepSecs: hourSecs,
    },
    {
      name: 'record-statistics',
      cron: '52 * * * *',
      run: () => executor.run(systemCaller, RecordStatistics),
    },
    {
      name: 'delete-expired-sessions',
      cron: '37 * * * *',
      run: () => executor.run(systemCaller, CleanupExpiredUserSessions),
    },
    {
      name: 'delete-unused-property-names',
      cron: '42 3 * * *',
      run: (ending) => deleteUnusedPropertyNames(executor, ending),
    },
    {
      name: 'delete-expired-invitations',
      cron: '52 * * * *',
      run: (ending) => untilNone(executor, CleanupExpiredInvitations, ending),
    },
    {
      name: 'announce-expiring-tokens',
      cron: '57 * * * *',
      run: () => executor.run(systemCaller, AnnounceExpiringTokens),
    },
    ...nightlyJobs(executor),
  ];
}

/** What is deleted once a day, in the hours with few people. */
function nightlyJobs(executor: Executor): ScheduledJob[] {
  return [
    {
      name: 'prune-webhook-messages',
      cron: '17 4 * * *',
      run: () => executor.run(systemCaller, PruneMessages),
    },
    {
      name: 'delete-old-alerts',
      cron: '22 4 * * *',
      run: (ending) => untilNone(executor, DeleteOldAlerts, ending),
    },
    {
      name: 'delete-old-property-changes',
      cron: '27 4 * * *',
      run: () => executor.run(systemCaller, DeleteOldPropertyChanges),
    },
    {
      name: 'delete-old-operations',
      cron: '32 4 * * *',
      run: (ending) => untilNone(executor, DeleteOldOperations, ending),
    },
    {
      name: 'delete-oldest-fleet-operations',
      cron: '42 4 * * *',
      run: (ending) => untilNone(executor, PruneOperations, ending),
    },
  ];
}

/**
 * Deletes all listed names of properties that no device of their project has any more, step by step, so that no transaction is long. A run that ends early leaves the rest to the one
 * of the next day.
 */
export async function deleteUnusedPropertyNames(executor: Executor, ending?: AbortSignal): Promise<void> {
  let after: Given<typeof DeleteUnusedPropertyNames>['after'];
  do {
    ({ last: after } = await executor.run(systemCaller, DeleteUnusedPropertyNames, { after }));
  } while (after !== undefined && ending?.aborted !== true);
}

/** Records the last minute, the versions of this hour, and which devices are silent for longer than usual, step by step. */
async function recordHistory(executor: Executor, ending: AbortSignal): Promise<void> {
  for (const record of [RecordHistory, RecordVersions, RecordSilences])
    for (let hasMore = true; hasMore && !ending.aborted;)
      ({ hasMore } = await executor.run(systemCaller, record));
}

/** Step by step, so that no transaction is long. */
async function untilNone(
  executor: Executor,
  deletion: Internal<void, { readonly deleted: number }>,
  ending: AbortSignal,
): Promise<void> {
  for (let deleted = 1; deleted > 0 && !ending.aborted;)
    ({ deleted } = await executor.run(systemCaller, deletion));
}
