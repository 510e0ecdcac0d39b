import type { Vault } from '../platform/vault/vault.ts';
import type { Config } from '../config/config.ts';
import { createInProcessBus, type EventBus, type OnListenerError } from '../platform/events/bus.ts';
import { createNatsBus, type NatsBus } from '../platform/events/nats-bus.ts';
import { watchMissedEvents } from '../platform/events/watch-missed-events.ts';
import type { Metrics } from '../entry/http/metrics.ts';
import type { Log } from '../platform/log/log.ts';
import { instanceIdOf, instanceKey } from '../domains/instance/index.ts';
import { machineClocks } from './machine-clocks.ts';
import type { HubDatabase } from './open-database.ts';

/** The bus of this node, and the state of NATS; `nats` is undefined without a cluster. */
export interface OpenedBus {
  readonly bus: EventBus;
  readonly nats: Pick<NatsBus, 'isConnected'> | undefined;
  stop(): Promise<void>;
}

interface BusParts {
  readonly config: Pick<Config, 'nats' | 'nodeName'>;
  readonly database: HubDatabase;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly now: () => Date;
  readonly vault: Vault;
}

/** Builds the bus, with NATS if that is configured. It does not wait until NATS answers. */
export async function openBus({ config, database, metrics, log, now, vault }: BusParts): Promise<OpenedBus> {
  const { nats: address, nodeName } = config;
  const onListenerError: OnListenerError = (error, event) =>
    log.error({ err: error, event: event?.name }, 'a listener failed');
  if (address === undefined) {
    return { bus: createInProcessBus(onListenerError), nats: undefined, stop: async () => undefined };
  }
  const nowMs = () => performance.now();
  const instanceId = await instanceIdOf(database.db);
  const key = await instanceKey({ tx: database.db, now: now(), vault }, 'hints');
  const { machineMs } = machineClocks;
  const bus = createNatsBus({
    address,
    instanceId,
    key,
    nodeName,
    log,
    onListenerError,
    now,
    nowMs,
    machineMs,
  });
  const watch = watchMissedEvents({ db: database.db, bus, nowMs, log });
  metrics.addGauge('corral_nats_connected', () => Number(bus.isConnected));
  metrics.addGauge('corral_hints_published', () => bus.counts.published);
  metrics.addGauge('corral_hints_received', () => bus.counts.received);
  metrics.addGauge('corral_hints_dropped', () => bus.counts.dropped);
  metrics.addGauge('corral_hints_refused', () => bus.counts.refused);
  return {
    bus,
    nats: bus,
    async stop() {
      await watch.stop();
      await bus.stop();
    },
  };
}
