import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { Actor, Id } from '@corral/contract';
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { absentId, type FreshExecutor } from './fresh-executor.ts';

/** A record as OTLP has it in JSON. */
export interface LogRecord {
  readonly timeUnixNano: string;
  readonly observedTimeUnixNano: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: unknown;
  readonly attributes: { readonly key: string; readonly value: Record<string, unknown> }[];
}

/** How a collector answers. */
export interface CollectorAnswer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** A collector on a socket; `answer` says how it answers to the bodies, as texts, of the records of a request. */
export async function playedCollector(
  answer: (bodies: string[]) => CollectorAnswer = () => ({ status: 200, body: {} }),
) {
  const accepted: LogRecord[] = [];
  const resources: unknown[] = [];
  const requests: { headers: IncomingHttpHeaders; records: number }[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const logs = JSON.parse(gunzipSync(Buffer.concat(pieces)).toString()) as {
      resourceLogs: { resource: unknown; scopeLogs: { logRecords: LogRecord[] }[] }[];
    };
    const records = logs.resourceLogs.flatMap(({ scopeLogs }) =>
      scopeLogs.flatMap((scope) => scope.logRecords),
    );
    requests.push({ headers: request.headers, records: records.length });
    const { status, headers, body } = answer(records.map((record) => JSON.stringify(record.body)));
    if (status === 200) {
      accepted.push(...records);
      resources.push(...logs.resourceLogs.map(({ resource }) => resource));
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    accepted,
    resources,
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`,
  };
}

/** Waits until all that is committed by now can be exported: transactions of other tests on the same server hold it up. */
export async function untilExportable({ database }: Pick<FreshExecutor, 'database'>): Promise<void> {
  const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(database.db);
  await expect
    .poll(
      async () => {
        const { rows: seen } = await sql<{ isPast: boolean }>`
        select pg_snapshot_xmin(pg_current_snapshot()) > ${rows[0]?.id}::xid8 as "isPast"`.execute(
          database.db,
        );
        return seen[0]?.isPast;
      },
      { timeout: 30_000 },
    )
    .toBe(true);
}

/** The bodies of records, which are texts. */
export const textsOf = (records: readonly LogRecord[]): string[] =>
  records.map(({ body }) => (body as { stringValue: string }).stringValue);

/** Different texts. */
export const numbered = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `event ${from + index}`);

/** The actor of a device. */
export const deviceActor = (deviceId: Id<'device'>): Actor => ({
  actor: 'Device',
  kind: 'Device',
  deviceId,
  tokenId: absentId('deploymentTokenId'),
});

/** The URL of a collector that takes requests and never answers. */
export async function stalledCollector(): Promise<string> {
  const server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
