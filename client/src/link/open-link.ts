import { connectPath, isLoopbackHost } from '@corral/contract';
import { MultiplexConnection, type ChannelRequest, type ConnectionEnd } from '@corral/multiplex';
import { upgradeToWebSocket, type CreateRequest } from './web-socket-upgrade.ts';

/** How to connect: the hub, the credentials, and the function that creates requests. */
export interface LinkOptions {
  /** The hub's origin, `http…` or `https…`. */
  readonly hubUrl: string;
  /** Headers of the upgrade request, which authenticate this side. */
  readonly headers: Record<string, string>;
  /** The name and version of this program, as `corral-agent/1.2.3`. The hub closes channels to programs of Corral without delay. */
  readonly info?: string;
  /** Creates the HTTP request of the upgrade; see CreateRequest. */
  readonly request: CreateRequest;
  /** Called for each channel that the hub requests; without it all are rejected. */
  readonly onChannelRequest?: ((request: ChannelRequest) => void) | undefined;
  readonly onClosed?: ((end: ConnectionEnd) => void) | undefined;
  /** Cancels a connection that is not open yet. */
  readonly signal?: AbortSignal | undefined;
}

const pingIntervalMs = 5_000;

/** Opens a connection to a hub over a WebSocket, once; the caller ticks it about once a second. Rejected with a ConnectError. */
export async function openLink(options: LinkOptions): Promise<MultiplexConnection> {
  const { hubUrl, headers, request, signal, info = '', onChannelRequest, onClosed } = options;
  const url = `${hubUrl}${connectPath}`;
  return new MultiplexConnection({
    transport: await upgradeToWebSocket({
      url,
      hubUrl,
      headers,
      request,
      signal,
      fillMask: isPrivate(url) ? undefined : fillMask,
    }),
    now: () => performance.now(),
    info,
    pingIntervalMs,
    schedule: setTimeout,
    ...(onChannelRequest === undefined ? {} : { onChannelRequest }),
    ...(onClosed === undefined ? {} : { onClosed }),
  });
}

/**
 * Random masks prevent intermediate caches from mistaking forwarded bytes for HTTP. Where no cache can read the bytes, a mask of zeros saves
 * both sides a pass over every byte (docs/decisions/0028-the-link-frames-itself.md).
 */
const fillMask = (mask: Uint8Array<ArrayBuffer>): void => void globalThis.crypto.getRandomValues(mask);

/** Whether no other machine can read the frames: they are encrypted, or stay on this machine. */
function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopbackHost(hostname);
}
