import { WebSocketTransport, type SocketLike } from '@corral/multiplex';
import { ConnectError } from './ConnectError.ts';
import { refusalOf, unreachable, type PlainAnswer } from './refusal.ts';

/** A socket of Node whose HTTP parser has been detached. */
export interface UpgradedSocket extends SocketLike {
  setNoDelay(isEnabled: boolean): unknown;
  setTimeout(timeoutMs: number): unknown;
  unshift(bytes: Uint8Array): unknown;
}

/** The parts of Node's `ClientRequest` that are used. */
export interface UpgradeRequest {
  on(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'response', listener: (answer: PlainAnswer) => void): unknown;
  once(
    event: 'upgrade',
    listener: (answer: UpgradeAnswer, socket: UpgradedSocket, head: Uint8Array) => void,
  ): unknown;
  end(): unknown;
  destroy(error?: Error): unknown;
}

/** The parts of an answer to an upgrade that are checked. */
export interface UpgradeAnswer {
  readonly statusCode?: number | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What an upgrade request must be made with; everything else, such as TLS settings, belongs to the caller. */
export interface UpgradeRequestOptions {
  readonly headers: Record<string, string>;
  readonly maxHeaderSize: number;
}

/** Creates a GET request without sending it: `request` of `node:http` or `node:https`. */
export type CreateRequest = (url: string, options: UpgradeRequestOptions) => UpgradeRequest;

/** What an upgrade needs. */
export interface UpgradeOptions {
  /** The address of the WebSocket, `http…` or `https…`. */
  readonly url: string;
  /** The hub's origin, as error messages name it. */
  readonly hubUrl: string;
  readonly headers: Record<string, string>;
  readonly request: CreateRequest;
  /** See WebSocketSettings; absent where frames need no random mask. */
  readonly fillMask?: ((mask: Uint8Array<ArrayBuffer>) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Fixed by RFC 6455. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const upgradeHeaders = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
const maxHeaderBytes = 16_384;
const upgradeTimeoutMs = 20_000;

/**
 * Opens a WebSocket without subprotocol or extensions (RFC 6455, section 4.1). Rejected with a ConnectError: when the hub refuses or cannot be
 * reached, answers with a wrong handshake, takes longer than 20 s or sends more than 16 KiB of headers, or when the signal aborts.
 */
export async function upgradeToWebSocket(options: UpgradeOptions): Promise<WebSocketTransport> {
  const key = toBase64(globalThis.crypto.getRandomValues(new Uint8Array(16)));
  const digest = await globalThis.crypto.subtle.digest('SHA-1', new TextEncoder().encode(key + acceptSuffix));
  if (options.signal?.aborted === true) throw cancelled();
  return exchange(options, key, toBase64(new Uint8Array(digest)));
}

async function exchange(options: UpgradeOptions, key: string, accept: string): Promise<WebSocketTransport> {
  const { url, hubUrl, signal } = options;
  const headers = { ...options.headers, ...upgradeHeaders, 'Sec-WebSocket-Key': key };
  const request = options.request(url, { headers, maxHeaderSize: maxHeaderBytes });
  const { promise, resolve, reject } = Promise.withResolvers<WebSocketTransport>();
  const cancel = (): void => reject(cancelled());
  const timeOut = (): void => void request.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' }));
  const timeout = setTimeout(timeOut, upgradeTimeoutMs);
  signal?.addEventListener('abort', cancel, { once: true });
  // This listener stays: destroying the request emits another error.
  request.on('error', (error) => reject(unreachable(error, hubUrl)));
  request.once('response', (answer) => void refusalOf(answer, hubUrl).then(reject));
  request.once('upgrade', (answer, socket, head) => {
    const field = wrongField(answer, accept);
    if (field === undefined) return resolve(transportOn(socket, head, options.fillMask));
    socket.destroy();
    reject(unreachable(new Error(`its WebSocket handshake is wrong (${field})`), hubUrl));
  });
  request.end();
  try {
    return await promise;
  } catch (error) {
    request.destroy();
    throw error;
  } finally {
    clearTimeout(timeout);
    signal?.removeEventListener('abort', cancel);
  }
}

/** The first field of the answer that RFC 6455 does not allow; undefined where all are right. */
function wrongField({ statusCode, headers }: UpgradeAnswer, accept: string): string | undefined {
  const value = (name: string): string => String(headers[name] ?? '').toLowerCase();
  if (statusCode !== 101) return `status ${statusCode}`;
  if (value('upgrade') !== 'websocket') return 'Upgrade';
  if (
    !value('connection')
      .split(/\s*,\s*/)
      .includes('upgrade')
  )
    return 'Connection';
  if (headers['sec-websocket-accept'] !== accept) return 'Sec-WebSocket-Accept';
  if (headers['sec-websocket-protocol'] !== undefined) return 'Sec-WebSocket-Protocol';
  if (headers['sec-websocket-extensions'] !== undefined) return 'Sec-WebSocket-Extensions';
  return undefined;
}

/** Called in the event of the upgrade, before the socket delivers more. */
function transportOn(
  socket: UpgradedSocket,
  head: Uint8Array,
  fillMask: UpgradeOptions['fillMask'],
): WebSocketTransport {
  socket.setNoDelay(true);
  socket.setTimeout(0);
  if (head.length > 0) socket.unshift(head);
  return new WebSocketTransport(socket, {
    side: 'client',
    ...(fillMask === undefined ? {} : { fillMask }),
  });
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const cancelled = (): ConnectError => new ConnectError('The connection was given up.');
