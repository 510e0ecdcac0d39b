import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { addressMatcher } from '../config/addresses.ts';
import type { Metrics } from './metrics.ts';

/** Dependencies of the health and metrics routes. */
export interface HealthParts {
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
