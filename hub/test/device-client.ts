import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ids, type Id } from '@corral/contract';
import { MultiplexConnection, RpcClient, WebSocketTransport, type ChannelRequest } from '@corral/multiplex';
import { WebSocket } from 'ws';
import { newRawId } from '../src/auth/random.ts';
import { deviceCertificate, type DeviceCertificate } from './device-certificate.ts';

/** An answer of the hub instead of the upgrade. */
export interface Refusal {
  readonly status: number;
  readonly body: { readonly kind: string; readonly message: string };
  readonly retryAfter: string | undefined;
}

/** A connection that is open, with RPC on an executor channel of its own. */
export interface OpenLink {
  readonly connection: MultiplexConnection;
  readonly socket: Socket;
  rpc(): Promise<RpcClient>;
}

/** Connects to the hub's device door over a real WebSocket; answers the refusal where there is no upgrade. */
export function connectLink(
  url: string,
  headers: Record<string, string | string[]>,
  onChannelRequest?: (request: ChannelRequest) => void,
): Promise<OpenLink | Refusal> {
  return new Promise((resolve, reject) => {
    let socket: Socket | undefined;
    const webSocket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/v1/connect/ws`, {
      headers: headers as Record<string, string>,
      perMessageDeflate: false,
      rejectUnauthorized: false,
    });
    webSocket.once('upgrade', (response: IncomingMessage) => (socket = response.socket));
    webSocket.once(
      'unexpected-response',
      (_request: ClientRequest, response: IncomingMessage) =>
        void readRefusal(response).then(resolve, reject),
    );
    webSocket.once('error', reject);
    webSocket.once('open', () => {
      webSocket.off('error', reject);
      if (socket === undefined) return reject(new Error('no socket'));
      const connection = new MultiplexConnection({
        transport: new WebSocketTransport(webSocket, socket),
        now: () => performance.now(),
        pingIntervalMs: 5_000,
        ...(onChannelRequest === undefined ? {} : { onChannelRequest }),
      });
      resolve({
        connection,
        socket,
        rpc: async () => new RpcClient(await connection.openChannel('executor')),
      });
    });
  });
}

async function readRefusal(response: IncomingMessage): Promise<Refusal> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    body: JSON.parse(Buffer.concat(chunks).toString()) as Refusal['body'],
    retryAfter: response.headers['retry-after'],
  };
}

/** A device that never connected: its secret fingerprint and its certificate. */
export interface TestDevice {
  readonly fingerprint: Id<'deviceFingerprint'>;
  readonly certificate: DeviceCertificate;
}

/** Makes up a device. */
export async function newDevice(): Promise<TestDevice> {
  const raw = newRawId() + newRawId();
  return {
    fingerprint: ids.deviceFingerprint.of(raw) as Id<'deviceFingerprint'>,
    certificate: await deviceCertificate(),
  };
}

/** The headers that an agent connects with. */
export function deviceHeaders(
  device: TestDevice,
  token: string,
  isRegistered = true,
): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'x-deployment-token': token,
    'x-device-fingerprint': device.fingerprint,
    'x-register-connection': String(isRegistered),
    'x-client-cert': device.certificate.header,
  };
}

/** Narrows to a connection that is open. */
export function isOpen(answer: OpenLink | Refusal): answer is OpenLink {
  return 'connection' in answer;
}
