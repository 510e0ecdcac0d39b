import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { addressMatcher } from '../../config/addresses.ts';
import { type GaugeName, gauges, measured, type SharedGaugeName, sharedGauges } from './metric-catalogue.ts';

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

const withinMs = 2_000;

/** A read that answers undefined if it fails or takes longer than two seconds. One runs at a time, however many ask. */
export function boundedRead<Value>(read: () => Promise<Value>): () => Promise<Value | undefined> {
  let running: Promise<Value | undefined> | undefined;
  return async () => {
    running ??= read()
      .catch(() => undefined)
      .finally(() => (running = undefined));
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(late.resolve, withinMs, undefined);
    try {
      return await Promise.race([running, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Dependencies of the health and metrics routes. */
interface HealthParts {
  /** Whether the hub can serve: the database responds and this node holds its lease. */
  readonly isReady: () => boolean | Promise<boolean>;
  /** What an operator should know of a hub that is ready, as a sentence. */
  readonly readyNotice?: (() => string | undefined) | undefined;
  /** An id that tells this instance from others. */
  readonly publicInstanceId?: string;
  readonly metrics: Metrics;
  readonly metricsFrom: readonly string[];
}

/** The header of `/readyz` with the public id of the instance. */
export const instanceHeader = 'x-corral-instance';

const answerWithinMs = 2_000;
/** Headers of proxies; those that add none are known by their address: see the default of `metricsFrom`. */
const forwardingHeaders =
  /^(?:forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-.*|x-forwarded-.*|x-original-.*)$/;

/** `/healthz` (the process runs), `/readyz` (it can serve) and `/metrics` (for the configured addresses). */
export function addHealthRoutes(
  server: FastifyInstance,
  { isReady, readyNotice, publicInstanceId, metrics, metricsFrom }: HealthParts,
): void {
  const mayRead = addressMatcher(metricsFrom);
  const isDirect = ({ headers }: IncomingMessage): boolean =>
    !Object.keys(headers).some((name) => forwardingHeaders.test(name));

  server.get('/healthz', async (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok\n'));

  server.get('/readyz', async (_request, reply) => {
    reply.type('text/plain; charset=utf-8');
    if (publicInstanceId !== undefined) reply.header(instanceHeader, publicInstanceId);
    if (await isReadyInTime(isReady))
      return ['ready', readyNotice?.(), ''].filter((line) => line !== undefined).join('\n');
    return reply.code(503).header('retry-after', '1').send('The hub is not ready.\n');
  });

  server.get('/metrics', async ({ raw }, reply) => {
    if (!mayRead(raw.socket.remoteAddress) || !isDirect(raw))
      return reply
        .code(403)
        .type('text/plain; charset=utf-8')
        .send('Metrics are read from the addresses in CORRAL_METRICS_FROM, and not through a proxy.\n');
    return reply.type(metrics.mediaType).send(await metrics.text());
  });
}

/** False also when the check fails or takes too long. */
async function isReadyInTime(isReady: HealthParts['isReady']): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), answerWithinMs);
  });
  try {
    return await Promise.race([Promise.resolve(isReady()), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
