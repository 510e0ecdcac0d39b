import { setTimeout as delay } from 'node:timers/promises';
import { startAlertTicks } from '../domains/alerts/jobs/look-at-rules.ts';
import { StorageError } from '../domains/assets/storage/asset-storage.ts';
import type { Config } from '../config/config.ts';
import { outgoingRule } from '../config/outgoing-addresses.ts';
import { jobsSchema } from '../platform/db/jobs-schema.ts';
import type { Metrics } from '../entry/http/metrics.ts';
import { startJobs, stopTimeoutMs, type Jobs } from '../platform/jobs/start-jobs.ts';
import { assetJobs } from '../domains/assets/jobs/asset-jobs.ts';
import { startAssetCollector } from '../domains/assets/jobs/collect-on-delete.ts';
import { checkJobs, startAuditLogChecker } from '../domains/audit/jobs/check-audit-log.ts';
import { propertyIndexJobs } from '../domains/devices/jobs/build-property-index.ts';
import { eventDeletionJobs } from '../domains/devices/jobs/delete-events-of-deleted-devices.ts';
import {
  deviceDeletionJobs,
  startDeviceDeletion,
} from '../domains/devices/jobs/delete-devices-of-deleted-projects.ts';
import { startRotationTicks } from '../domains/devices/jobs/move-rotations.ts';
import { sealJobs } from '../domains/audit/jobs/seal-audit-log.ts';
import { startFleetTicks } from '../domains/fleet/jobs/drive-operations.ts';
import { startChangeTicks } from '../domains/fleet/jobs/go-on-with-changes.ts';
import { startOperationTicks } from '../domains/operations/jobs/operation-ticks.ts';
import { heartbeatJob } from '../domains/instance/jobs/call-heartbeat.ts';
import { lookForReleaseJob } from '../domains/instance/jobs/look-for-release.ts';
import { upkeepJobs } from '../domains/instance/jobs/upkeep.ts';
import { startOtlpExports } from '../domains/otlp/jobs/export-records.ts';
import { startTerminalTicks } from '../domains/terminals/jobs/terminal-ticks.ts';
import { startWebhooks } from '../domains/webhooks/jobs/send-messages.ts';
import type { Storages } from '../domains/assets/storage/storages.ts';
import type { Log } from '../platform/log/log.ts';
import { openOutgoing } from '../platform/outgoing/open-outgoing.ts';
import type { Core } from './core.ts';
import type { LiveSettings } from './instance-values.ts';
import type { HubDatabase } from './open-database.ts';

interface JobsParts {
  readonly config: Config;
  readonly database: HubDatabase;
  readonly core: Core;
  readonly settings: LiveSettings;
  readonly log: Log;
  readonly now: () => Date;
  readonly metrics: Metrics;
  readonly storages: Storages;
}

/** Names that jobs had in former releases. */
const formerNames = ['build-device-facts', 'cut-audit-log'];

/** Starts this node's share of the scheduled jobs, which run while it holds its lease, and registers their gauge. */
export async function addJobs({
  config,
  database,
  core,
  settings,
  log,
  now,
  metrics,
  storages,
}: JobsParts): Promise<Jobs> {
  const { jobsDb: db } = database;
  metrics.addGauge('corral_job_database_connections', () => db.connections);
  const stopping = new AbortController();
  const outgoing = openOutgoing({ rule: outgoingRule(config.privateTargets) });
  const deletions = { executor: core.executor, storages, stopping: stopping.signal };
  const jobs = [
    ...upkeepJobs(core.executor, () => settings.current().eventRetentionMonths),
    ...sealJobs({ executor: core.executor, log }, config.auditRetentionMonths),
    ...checkJobs(core.executor),
    ...propertyIndexJobs(core.executor),
    ...eventDeletionJobs(core.executor),
    ...deviceDeletionJobs(core.executor),
    ...assetJobs({ ...deletions, now, scrubBytes: config.scrubBytes }),
    heartbeatJob({ executor: core.executor, outgoing, url: () => settings.current().heartbeatUrl }),
    lookForReleaseJob({ executor: core.executor, outgoing, url: config.releasesUrl }),
  ];
  const { executor, bus } = core;
  const collector = startAssetCollector({ ...deletions, bus, log });
  const checker = startAuditLogChecker({ executor, bus, log });
  const ticks = startTicks(config, core, log);
  const running = await startJobs({ db, schema: jobsSchema, jobs, formerNames, log });
  const projects = startDeviceDeletion({ bus, log }, running);
  return {
    ...running,
    async stop() {
      stopping.abort(new StorageError('Unreachable', 'The hub stops before the store has answered.'));
      const workAfterEvents = Promise.all([collector.stop(), checker.stop(), projects.stop(), ticks.stop()]);
      const inTime = Promise.race([workAfterEvents, delay(stopTimeoutMs, undefined, { ref: false })]);
      await Promise.all([inTime, running.stop()]);
      await outgoing.close();
    },
  };
}

/** Starts what each node looks at every second: operations, changes of devices, rotations of certificates, alert rules, messages of webhooks, and exports over OTLP. */
function startTicks(config: Config, { executor, bus }: Core, log: Log): { stop(): Promise<unknown> } {
  // Each its own: collectors that do not answer keep no webhook waiting.
  const outgoing = () => openOutgoing({ rule: outgoingRule(config.privateTargets) });
  const ticks = [
    startOperationTicks({ executor, bus, log }),
    startFleetTicks({ executor, bus, log }),
    startChangeTicks({ executor, bus, log }),
    startRotationTicks({ executor, log }),
    startAlertTicks({ executor, log }),
    startTerminalTicks({ executor, log }),
    startWebhooks({ executor, outgoing: outgoing(), log }),
    startOtlpExports({ executor, outgoing: outgoing(), log }),
  ];
  return { stop: () => Promise.all(ticks.map((tick) => tick.stop())) };
}
