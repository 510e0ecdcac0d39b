import type { ClientRequest, IncomingMessage } from 'node:http';
import {
  MultiplexConnection,
  WebSocketTransport,
  type ChannelRequest,
  type ConnectingWebSocket,
} from '@corral/multiplex';
import { WebSocket } from 'ws';
import type { HubConfig } from '../config.ts';
import type { DeviceIdentity } from '../identity/identity.ts';
import { ConnectError } from './ConnectError.ts';
import { refusalOf, unreachable } from './refusal.ts';
import { secureContextOf } from './secure-context.ts';

/** Where to connect, and as whom. */
export interface ConnectOptions extends HubConfig {
  readonly identity: DeviceIdentity;
  /** Whether the connection makes the device connected and takes channels. */
  readonly isRegistered: boolean;
  readonly onChannelRequest?: (request: ChannelRequest) => void;
  /** Gives up a connection that is not open yet. */
  readonly signal?: AbortSignal | undefined;
}

const handshakeTimeoutMs = 20_000;
const pingIntervalMs = 5_000;
const maxFrameBytes = 1_048_576 + 9;

/** Connects once; whoever calls it ticks the connection. Rejected with a ConnectError. */
export async function connect(options: ConnectOptions): Promise<MultiplexConnection> {
  if (options.signal?.aborted === true) throw new ConnectError('The agent is stopping.');
  const { onChannelRequest } = options;
  const transport = await openTransport(options);
  return new MultiplexConnection({
    transport,
    now: () => performance.now(),
    pingIntervalMs,
    schedule: setTimeout,
    ...(onChannelRequest === undefined ? {} : { onChannelRequest }),
  });
}

function openTransport(options: ConnectOptions): Promise<WebSocketTransport> {
  const webSocket = openWebSocket(options);
  // Giving up emits an error of its own, behind the one that was told.
  webSocket.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(new ConnectError('The agent is stopping.'));
      webSocket.terminate();
    };
    const tooLate = setTimeout(() => {
      reject(new ConnectError(`The hub at ${options.hubUrl} does not answer.`));
      webSocket.terminate();
    }, handshakeTimeoutMs);
    const settled = (): void => {
      clearTimeout(tooLate);
      options.signal?.removeEventListener('abort', giveUp);
    };
    options.signal?.addEventListener('abort', giveUp, { once: true });
    webSocket.once('unexpected-response', (_request: ClientRequest, response: IncomingMessage) => {
      void refusalOf(response).then((error) => {
        reject(error);
        webSocket.terminate();
      });
    });
    WebSocketTransport.connect(webSocket as ConnectingWebSocket)
      .then(resolve, (error: Error) => reject(unreachable(error, options.hubUrl)))
      .finally(settled);
  });
}

function openWebSocket({ hubUrl, token, identity, isRegistered }: ConnectOptions): WebSocket {
  const isPlain = hubUrl.startsWith('http:');
  return new WebSocket(`${hubUrl.replace(/^http/, 'ws')}/api/v1/connect/ws`, {
    headers: {
      Authorization: `Bearer ${token}`,
      'X-Deployment-Token': token,
      'X-Device-Fingerprint': identity.fingerprint,
      'X-Register-Connection': String(isRegistered),
      ...(isPlain ? { 'X-Client-Cert': encodeURIComponent(identity.certificate.certificatePem) } : {}),
    },
    ...(isPlain ? {} : { secureContext: secureContextOf(identity.certificate) }),
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
  });
}
