import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { boundedRead } from './bounded-read.ts';
import { gauges, measured, sharedGauges, type GaugeName, type SharedGaugeName } from './metric-catalogue.ts';

/** The metrics of the hub in the format of Prometheus. */
export interface Metrics {
  /** Records an action with its outcome and duration; pass it as `measure` to the executor. */
  measureAction(name: string, outcome: string, seconds: number): void;
  countRequest(method: string, route: string, status: number): void;
  /** Registers a gauge that is read at each scrape. */
  addGauge(name: GaugeName, read: () => number): void;
  /** Registers a gauge whose values by label are read from the database at each scrape. */
  addSharedGauge(name: SharedGaugeName, read: () => Promise<Readonly<Record<string, number>>>): void;
  readonly mediaType: string;
  /** The text that Prometheus scrapes. */
  text(): Promise<string>;
}

/** Creates a registry with the default metrics of the process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const actionSeconds = new Histogram({
    name: 'corral_action_seconds',
    help: measured.corral_action_seconds.help,
    labelNames: measured.corral_action_seconds.labels,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const requests = new Counter({
    name: 'corral_http_requests_total',
    help: measured.corral_http_requests_total.help,
    labelNames: measured.corral_http_requests_total.labels,
    registers: [registry],
  });
  return {
    measureAction: (action, outcome, seconds) => actionSeconds.observe({ action, outcome }, seconds),
    countRequest: (method, route, status) => requests.inc({ method, route, status }),
    addGauge: (name, read) => void gaugeOf(registry, name, read),
    addSharedGauge: (name, read) => void sharedGaugeOf(registry, name, read),
    mediaType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function gaugeOf(registry: Registry, name: GaugeName, read: () => number): Gauge {
  return new Gauge({
    name,
    help: gauges[name],
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

function sharedGaugeOf(
  registry: Registry,
  name: SharedGaugeName,
  read: () => Promise<Readonly<Record<string, number>>>,
): Gauge {
  const { label, help } = sharedGauges[name];
  const values = boundedRead(read);
  return new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [value, count] of Object.entries((await values()) ?? {}))
        this.set({ [label]: value }, count);
    },
  });
}
