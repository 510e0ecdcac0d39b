import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { ConnectError, openLink, type CreateRequest } from '@corral/client';
import { ids, type Id } from '@corral/contract';
import { RpcClient, type ChannelRequest, type MultiplexConnection } from '@corral/multiplex';
import { newRawId } from '../src/auth/random.ts';
import { deviceCertificate, type DeviceCertificate } from './device-certificate.ts';

/** The hub's HTTP response where it refuses the upgrade. */
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

/** Connects to the hub's gateway over a real WebSocket. Returns the refusal where the hub refuses the upgrade. */
export async function connectLink(
  url: string,
  headers: Record<string, string | string[]>,
  onChannelRequest?: (request: ChannelRequest) => void,
  info = '',
  tls: { readonly cert?: string; readonly key?: string } = {},
): Promise<OpenLink | Refusal> {
  let socket: Socket | undefined;
  const request: CreateRequest = (address, form) => {
    const created = address.startsWith('https:')
      ? httpsRequest(address, { ...form, ...tls, rejectUnauthorized: false })
      : httpRequest(address, form);
    return created.once('upgrade', (_answer, upgraded: Socket) => (socket = upgraded));
  };
  try {
    const connection = await openLink({
      hubUrl: url,
      headers: headers as Record<string, string>,
      info,
      request,
      onChannelRequest,
    });
    if (socket === undefined) throw new Error('no socket');
    const rpc = async () => new RpcClient(await connection.openChannel('executor'));
    return { connection, socket, rpc };
  } catch (error) {
    return refusalIn(error);
  }
}

function refusalIn(error: unknown): Refusal {
  if (!(error instanceof ConnectError) || error.status === undefined) throw error;
  const { status, message, kind = '', retryAfterMs } = error;
  const retryAfter = retryAfterMs === undefined ? undefined : String(retryAfterMs / 1_000);
  return { status, body: { kind, message }, retryAfter };
}

/** A device that never connected: its secret fingerprint and its certificate. */
export interface TestDevice {
  readonly fingerprint: Id<'deviceFingerprint'>;
  readonly certificate: DeviceCertificate;
}

/** Creates a device with a random fingerprint and a new certificate. */
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
