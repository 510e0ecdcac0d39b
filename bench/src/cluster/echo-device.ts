import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { openLink, Ticker } from '@corral/client';
import { ids, randomSymbols, type Id } from '@corral/contract';
import type { ChannelRequest, MultiplexConnection } from '@corral/multiplex';
import { deviceHeaders } from '../devices.ts';
import type { BenchUser } from '../bench-hub.ts';

const certificatePem = readFileSync(new URL('../device-certificate.pem', import.meta.url), 'utf8');
const hex = createHash('sha256').update(new X509Certificate(certificatePem).raw).digest('hex').toUpperCase();
const fingerprint = (hex.match(/../g) ?? []).join(':');

/** Its port for pages answers with a page that never ends; the others echo. */
export const pagePort = 80;
export const echoPort = 7;

/** A connected device whose certificate can be revoked. */
export interface EchoDevice {
  readonly deviceId: Id<'device'>;
  readonly certificateId: Id<'deviceCertificate'>;
  readonly connection: MultiplexConnection;
}

/** Ticks all connections of this process. */
export const ticker = new Ticker();

/** Creates a device with a certificate of its own, and connects it to a hub. */
export async function connectEchoDevice(
  { executor, projectId }: BenchUser,
  token: string,
  hubUrl: string,
): Promise<EchoDevice> {
  const secret = `d_sk_${randomSymbols(44, randomBytes)}` as const;
  const created = await executor.invoke('devices_CreateDevice', { projectId, fingerprint: secret });
  const deviceId = ids.device.of(ids.device.raw(created.deviceId));
  const { certificateId } = await executor.invoke('devices_AddDeviceCertificate', {
    deviceId,
    fingerprint,
    status: 'Active',
  });
  const fleet = {
    token,
    certificateHeader: encodeURIComponent(certificatePem),
    fingerprints: [],
    deviceIds: [],
  };
  const connection = await openLink({
    hubUrl,
    headers: { ...deviceHeaders(fleet), 'x-device-fingerprint': secret },
    request,
    onChannelRequest: serve,
  });
  ticker.add(connection);
  void connection.closed.then(() => ticker.remove(connection));
  return { deviceId, certificateId, connection };
}

const page = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n4\r\nlive\r\n';

function serve(asked: ChannelRequest): void {
  const channel = asked.accept();
  const isPage = asked.endpoint.endsWith(`/${pagePort}`);
  if (isPage) void channel.write(Buffer.from(page));
  void channel
    .drain((bytes) => (isPage ? undefined : channel.write(Uint8Array.from(bytes))))
    .then(() => channel.end());
}
