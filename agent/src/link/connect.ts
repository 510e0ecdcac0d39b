import { request as httpRequest } from 'node:http';
import { openLink } from '@corral/client';
import { lookupPeer, secureRequests } from '@corral/client/node';
import { resumableForwards } from '@corral/contract';
import type { ChannelRequest, MultiplexConnection } from '@corral/multiplex';
import type { HubConfig } from '../config.ts';
import type { DeviceIdentity } from '../identity/identity.ts';
import { version } from '../version.ts';
import { secureContextOf } from './secure-context.ts';

const secure = secureRequests(process.env);

/** The hub to connect to, and the device to connect as. */
export interface ConnectOptions extends HubConfig {
  readonly identity: DeviceIdentity;
  /** Whether the connection makes the device connected and takes channels. */
  readonly isRegistered: boolean;
  /** The hub's certificate in PEM: it is then trusted alone, whoever signed it and whatever name is in it. */
  readonly hubCertificate?: string | undefined;
  readonly onChannelRequest?: (request: ChannelRequest) => void;
  /** Whether `onChannelRequest` serves resumable forwards. */
  readonly canResume?: boolean;
  /** Cancels a connection that is not open yet. */
  readonly signal?: AbortSignal | undefined;
}

/** Connects once as a device; the caller ticks the connection. Rejected with a ConnectError. */
export function connect(options: ConnectOptions): Promise<MultiplexConnection> {
  const { hubUrl, token, identity, isRegistered, hubCertificate, onChannelRequest, signal } = options;
  const program = `corral-agent/${version()}`;
  const isPlain = hubUrl.startsWith('http:');
  const tls = isPlain ? {} : tlsOf(identity, hubCertificate);
  return openLink({
    hubUrl,
    headers: {
      Authorization: `Bearer ${token}`,
      'X-Deployment-Token': token,
      'X-Device-Fingerprint': identity.fingerprint,
      'X-Register-Connection': String(isRegistered),
      ...(isPlain ? { 'X-Client-Cert': encodeURIComponent(identity.certificate.certificatePem) } : {}),
    },
    info: options.canResume === true ? resumableForwards.infoOf(program) : program,
    request: (url, form) =>
      isPlain
        ? httpRequest(url, { ...form, lookup: lookupPeer })
        : secure.request(url, { ...form, ...tls, lookup: lookupPeer }),
    onChannelRequest,
    signal,
  });
}

function tlsOf({ certificate }: DeviceIdentity, hubCertificate: string | undefined) {
  const secureContext = secureContextOf(certificate, hubCertificate);
  return { secureContext, ...(hubCertificate === undefined ? {} : { checkServerIdentity: () => undefined }) };
}
