import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentError } from '../AgentError.ts';
import type { HubConfig, ProvisioningConfig } from '../config.ts';
import type { Log } from '../log.ts';

/** How a device is paired by what somebody gives it. */
export interface PairingDoor {
  readonly provisioning: ProvisioningConfig;
  /** Pairs by `KEY` or `domain,KEY`; rejected with an error whose message is for whoever gave it. */
  readonly pair: (value: string) => Promise<HubConfig>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const maxValueBytes = 512;
const maxConnections = 16;
const requestMs = 5_000;

/** Listens for `POST /pair` until this device is paired, then no longer; undefined when the signal aborts before. Rejected with an AgentError if it cannot listen. */
export async function awaitPairing(door: PairingDoor): Promise<HubConfig | undefined> {
  const { provisioning, log, signal } = door;
  let finish: (paired: HubConfig | undefined) => void = () => undefined;
  const paired = new Promise<HubConfig | undefined>((resolve) => (finish = resolve));
  const handle = handlerOf(door, finish);
  const server = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 8_192,
    },
    (request, response) => void handle(request, response),
  );
  server.maxConnections = maxConnections;
  try {
    server.listen(provisioning.port, provisioning.host);
    await once(server, 'listening', { signal });
  } catch (cause) {
    if (signal.aborted) return undefined;
    throw new AgentError(`provisioning.bind: the agent cannot listen there: ${(cause as Error).message}.`, {
      cause,
    });
  }
  const { host } = provisioning;
  const { port } = server.address() as AddressInfo;
  log.info(`waits to be paired: POST /pair on ${host.includes(':') ? `[${host}]` : host}:${port}`);
  signal.addEventListener('abort', () => finish(undefined), { once: true });
  try {
    return await paired;
  } finally {
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    await closed;
  }
}

function handlerOf({ pair, log }: PairingDoor, finish: (paired: HubConfig) => void) {
  let isPairing = false;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = (status: number, text: string): void =>
      void response
        .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
        .end(`${text}\n`);
    const problem = problemOf(request);
    if (problem !== undefined) return answer(...problem);
    if (request.method === 'GET') return answer(200, 'ready');
    const value = await readValue(request);
    if (value === undefined) return answer(413, `A pairing key has fewer than ${maxValueBytes} bytes.`);
    if (isPairing) return answer(409, 'The agent is being paired. Try again in a moment.');
    isPairing = true;
    try {
      const paired = await pair(value);
      answer(200, 'paired');
      // The agent goes on once whoever paired it knows.
      response.once('close', () => finish(paired));
    } catch (error) {
      const message = (error as Error).message;
      log.warn(`was not paired: ${message}`);
      answer(400, message);
      isPairing = false;
    }
  };
}

/** Browsers name the page that sends a request: no page that somebody visits may pair a device in the same network. */
function problemOf({ method, url, headers }: IncomingMessage): [status: number, text: string] | undefined {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    return [403, 'Pages in a browser cannot pair this device.'];
  if ((method === 'GET' && url === '/') || (method === 'POST' && url === '/pair')) return undefined;
  return url === '/' || url === '/pair'
    ? [405, 'GET / says whether the agent is ready, POST /pair takes a pairing key.']
    : [404, 'GET / says whether the agent is ready, POST /pair takes a pairing key.'];
}

/** The body; undefined if it is too long. */
async function readValue(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of request) {
      sizeBytes += (chunk as Buffer).length;
      if (sizeBytes > maxValueBytes) return undefined;
      chunks.push(chunk as Buffer);
    }
  } catch {
    return '';
  }
  return Buffer.concat(chunks).toString('utf8');
}
