import { Agent } from 'node:https';
import { openLink, type LinkSocket } from '@corral/client';
import type { ChannelRequest, MultiplexConnection } from '@corral/multiplex';
import { WebSocket } from 'ws';
import type { HubConfig } from '../config.ts';
import type { DeviceIdentity } from '../identity/identity.ts';
import { version } from '../version.ts';
import { secureContextOf } from './secure-context.ts';

/** Leads through the proxy that the environment names for the hub, if any, which sees nothing of what is said. */
const throughProxy = new Agent({ proxyEnv: process.env });

/** Where to connect, and as whom. */
export interface ConnectOptions extends HubConfig {
  readonly identity: DeviceIdentity;
  /** Whether the connection makes the device connected and takes channels. */
  readonly isRegistered: boolean;
  readonly onChannelRequest?: (request: ChannelRequest) => void;
  /** Gives up a connection that is not open yet. */
  readonly signal?: AbortSignal | undefined;
}

/** Connects once as a device; whoever calls it ticks the connection. Rejected with a ConnectError. */
export function connect(options: ConnectOptions): Promise<MultiplexConnection> {
  const { hubUrl, token, identity, isRegistered, onChannelRequest, signal } = options;
  const isPlain = hubUrl.startsWith('http:');
  const way = isPlain ? {} : { secureContext: secureContextOf(identity.certificate), agent: throughProxy };
  return openLink({
    hubUrl,
    headers: {
      Authorization: `Bearer ${token}`,
      'X-Deployment-Token': token,
      'X-Device-Fingerprint': identity.fingerprint,
      'X-Register-Connection': String(isRegistered),
      ...(isPlain ? { 'X-Client-Cert': encodeURIComponent(identity.certificate.certificatePem) } : {}),
    },
    info: `corral-agent/${version()}`,
    createSocket: (url, form) => new WebSocket(url, { ...form, ...way }) as LinkSocket,
    onChannelRequest,
    signal,
  });
}
