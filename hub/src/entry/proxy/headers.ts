import type { IncomingMessage } from 'node:http';
import { valuesOf, type ResponseHead } from './response-head.ts';
import type { ProxyCookie } from './cookie.ts';

/** Headers as a flat list, as Node writes them: name, value, name, value. */
export type FlatHeaders = string[];

/** Hop-by-hop headers, which no proxy forwards in either direction. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Headers meant for the hub, or that a client could forge to mislead the device. */
const removedFromRequests = new Set([
  'host',
  'content-length',
  'expect',
  'forwarded',
  'x-real-ip',
  'x-client-cert',
  'x-user-token',
  'x-deployment-token',
  'x-device-fingerprint',
  'x-register-connection',
]);

/** Headers that affect more than the device's own host name, or that control a web server in front of the hub. */
const removedFromResponses = new Set([
  'alt-svc',
  'clear-site-data',
  'origin-agent-cluster',
  'public-key-pins',
  'public-key-pins-report-only',
  'set-cookie2',
  'strict-transport-security',
  'x-sendfile',
  'x-lighttpd-send-file',
]);

const corralToken =
  /(?:^|[^A-Za-z0-9])(?:u_sk|u_session_sk|deployment)_[1-9A-HJ-NP-Za-km-z]{66}(?![A-Za-z0-9])/;

/** How the browser addressed the page. */
export interface BrowserAddress {
  /** The host name that the browser used, with its port if any. */
  readonly host: string;
  readonly scheme: string;
  readonly cookie: ProxyCookie;
}

/** The request headers for the device: no credentials of the hub, no hop-by-hop headers, and `X-Forwarded-…` set by the hub alone. */
export function headersForDevice(request: IncomingMessage, address: BrowserAddress): FlatHeaders {
  const options = connectionOptions(request.headers.connection);
  const kept: FlatHeaders = [
    'Host',
    address.host,
    'X-Forwarded-Host',
    address.host,
    'X-Forwarded-Proto',
    address.scheme,
  ];
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    const key = withHyphens(name.toLowerCase());
    if (hopByHop.has(key) || removedFromRequests.has(key) || options.has(key)) continue;
    if (key.startsWith('x-forwarded-') || key.startsWith('proxy-')) continue;
    if (key === 'authorization' && corralToken.test(value)) continue;
    const allowed = key === 'cookie' ? address.cookie.withoutOwn(value) : value;
    if (allowed !== undefined) kept.push(name, allowed);
  }
  return kept;
}

/** The response headers for the browser: those that affect the device's own host name only. */
export function headersForBrowser(upstream: ResponseHead, cookie: ProxyCookie): FlatHeaders {
  const options = connectionOptions(valuesOf(upstream, 'connection').join());
  const kept: FlatHeaders = ['Origin-Agent-Cluster', '?1'];
  for (const { name, key: lowerName, value } of upstream.headers) {
    const key = withHyphens(lowerName);
    if (hopByHop.has(key) || removedFromResponses.has(key) || options.has(key)) continue;
    if (key.startsWith('x-accel-') || key.startsWith('x-corral-') || key.startsWith('proxy-')) continue;
    if (key === 'content-length' && upstream.status === 204) continue;
    if (key === 'set-cookie' && !cookie.mayBeSet(value)) continue;
    kept.push(name, value);
  }
  return kept;
}

/** CGI programs on devices do not distinguish underscores from hyphens. */
function withHyphens(lowerName: string): string {
  return lowerName.includes('_') ? lowerName.replaceAll('_', '-') : lowerName;
}

const noOptions: ReadonlySet<string> = new Set();

function connectionOptions(connection = ''): ReadonlySet<string> {
  // Fast path for the usual values, which name no other header.
  if (connection === '' || connection === 'keep-alive' || connection === 'close') return noOptions;
  return new Set(connection.split(',').map((name) => withHyphens(name.trim().toLowerCase())));
}
