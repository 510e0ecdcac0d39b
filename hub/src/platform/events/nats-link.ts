import { setTimeout as delay } from 'node:timers/promises';
import {
  connect,
  credsAuthenticator,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node';
import type { LogFields } from '../log/log-fields.ts';

/** How to reach the servers of one NATS. */
export interface NatsAddress {
  /** Hosts with ports; any of them serves. */
  readonly servers: readonly string[];
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  /** The text of a credentials file with a JWT and its key. */
  readonly credentials?: string;
  /** Whether the connection must be encrypted; a server may demand it as well. */
  readonly isEncrypted: boolean;
  /** The certificates of the authorities that sign the servers' certificates, in PEM; by default those of the system. */
  readonly authorities?: string;
}

interface LinkParts {
  readonly address: NatsAddress;
  /** The name that the server shows for this client. */
  readonly clientName: string;
  readonly subject: string;
  readonly log: Record<'info' | 'warn', (fields: LogFields, message: string) => void>;
  onMessage(message: Uint8Array): void;
  /** Called on each connection, once messages arrive. */
  onConnected(): void;
  onDisconnected(): void;
}

/** A connection to NATS that is made again for ever after it broke. */
export interface NatsLink {
  readonly isConnected: boolean;
  /** How large a message may be, in bytes. */
  readonly maxBytes: number;
  /** Sends a message to all other clients that have the subject. False: it is lost, because there is no connection or too much waits. */
  send(message: Uint8Array): boolean;
  stop(): Promise<void>;
}

const answerTimeoutMs = 5_000;
/** A server that is silent for three times as long is given up. */
const pingEveryMs = 5_000;
const leastBackoffMs = 250;
const mostBackoffMs = 5_000;
/** Bytes that the server has not confirmed. */
const maxUnconfirmedBytes = 4 * 1024 * 1024;

/** Starts connecting. It waits for nothing: the hub also works while NATS is away. */
export function openNatsLink(parts: LinkParts): NatsLink {
  const link = new Link(parts);
  return link;
}

class Link implements NatsLink {
  readonly #parts: LinkParts;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #connection: NatsConnection | undefined;
  #unconfirmedBytes = 0;
  /** The connection whose bytes are being confirmed. */
  #confirmed: NatsConnection | undefined;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#running = this.#run();
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  get maxBytes(): number {
    return this.#connection?.info?.max_payload ?? 0;
  }

  send(message: Uint8Array): boolean {
    if (this.#connection === undefined || this.#unconfirmedBytes + message.length > maxUnconfirmedBytes)
      return false;
    this.#connection.publish(this.#parts.subject, message);
    this.#unconfirmedBytes += message.length;
    void this.#confirm(this.#connection);
    return true;
  }

  async stop(): Promise<void> {
    const connection = this.#connection;
    if (connection !== undefined)
      await Promise.race([connection.flush().catch(() => undefined), connection.closed()]);
    this.#stopping.abort();
    await this.#running;
  }

  /** Counts bytes as confirmed once the server has answered a ping sent after them. If the connection breaks, the promise of the library never settles; each connection has its own run. */
  async #confirm(connection: NatsConnection): Promise<void> {
    if (this.#confirmed === connection) return;
    this.#confirmed = connection;
    try {
      while (this.#unconfirmedBytes > 0 && this.#connection === connection) {
        const sent = this.#unconfirmedBytes;
        await connection.flush();
        if (this.#connection === connection) this.#unconfirmedBytes -= sent;
      }
    } catch {
      // The connection has ended, and the next one begins with nothing unconfirmed.
    } finally {
      if (this.#confirmed === connection) this.#confirmed = undefined;
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let backoffMs = leastBackoffMs;
    let hasWarned = false;
    while (!signal.aborted) {
      const begunAtMs = performance.now();
      const problem = await this.#serve();
      if (signal.aborted) return;
      if (!hasWarned || problem.wasConnected)
        this.#parts.log.warn(
          { err: problem.error },
          'NATS cannot be reached: other nodes learn of changes later; the hub goes on trying',
        );
      hasWarned = true;
      if (performance.now() - begunAtMs > mostBackoffMs) backoffMs = leastBackoffMs;
      await delay(backoffMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      backoffMs = Math.min(2 * backoffMs, mostBackoffMs);
    }
  }

  /** Connects, and resolves with the reason when the connection has ended. */
  async #serve(): Promise<{ error: unknown; wasConnected: boolean }> {
    const connecting = connect(optionsOf(this.#parts));
    const { promise: stopped, forget } = whenAborted(this.#stopping.signal);
    try {
      const connection = await Promise.race([connecting, stopped]);
      const failed = firstError(connection);
      failed.catch(() => undefined);
      connection.subscribe(this.#parts.subject, {
        callback: (error, { data }) => void (error === null && this.#parts.onMessage(data)),
      });
      // The library never answers a flush whose connection breaks.
      const ended = Promise.race([connection.closed(), failed, stopped]);
      const hasEnded = await Promise.race([connection.flush().then(() => false), ended.then(() => true)]);
      if (hasEnded) return { error: await ended, wasConnected: false };
      this.#begin(connection);
      return { error: await ended.catch((reason: unknown) => reason), wasConnected: true };
    } catch (error) {
      return { error, wasConnected: false };
    } finally {
      forget();
      this.#end();
      // A connection that comes after the stop is closed as well, and not waited for.
      connecting.then((connection) => connection.close()).catch(() => undefined);
    }
  }

  #begin(connection: NatsConnection): void {
    this.#connection = connection;
    this.#unconfirmedBytes = 0;
    this.#parts.log.info({ server: connection.getServer() }, 'connected to NATS');
    this.#parts.onConnected();
  }

  #end(): void {
    if (this.#connection === undefined) return;
    this.#connection = undefined;
    this.#parts.onDisconnected();
  }
}

/** Rejects once the signal is aborted. The signal outlives all connections, and keeps the promise and what waits for it until it is forgotten. */
function whenAborted(signal: AbortSignal): { readonly promise: Promise<never>; readonly forget: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const onAbort = (): void => reject(new Error('The hub stops.'));
  signal.addEventListener('abort', onAbort, { once: true });
  return { promise, forget: () => signal.removeEventListener('abort', onAbort) };
}

/** Rejects once the server reports an error, such as a subject that this client may not use. */
async function firstError(connection: NatsConnection): Promise<never> {
  for await (const status of connection.status()) if (status.type === 'error') throw status.error;
  return new Promise(() => undefined);
}

function optionsOf({ address, clientName }: LinkParts): ConnectionOptions {
  const { servers, user, password, token, credentials, isEncrypted, authorities } = address;
  return {
    servers: [...servers],
    name: clientName,
    ...(user === undefined ? {} : { user, pass: password ?? '' }),
    ...(token === undefined ? {} : { token }),
    ...(credentials === undefined ? {} : { authenticator: credsAuthenticator(Buffer.from(credentials)) }),
    ...(isEncrypted || authorities !== undefined
      ? { tls: authorities === undefined ? {} : { ca: authorities } }
      : {}),
    // The link connects again by itself: the library would lose the hints in between silently, and could not be stopped before its first connection.
    reconnect: false,
    ignoreClusterUpdates: true,
    timeout: answerTimeoutMs,
    pingInterval: pingEveryMs,
    maxPingOut: 2,
    noEcho: true,
  };
}
