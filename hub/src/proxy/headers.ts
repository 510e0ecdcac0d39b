import type { IncomingMessage } from 'node:http';
import { valuesOf, type AnswerHead } from './answer-head.ts';
import type { ProxyCookie } from './cookie.ts';

/** Headers as Node writes them: name, value, name, value. */
export type FlatHeaders = string[];

/** What belongs to one connection and never crosses a proxy, in either direction. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** What a client says to the hub, or would make a device believe of itself. */
const notForDevices = new Set([
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

/** What would reach beyond the device's own host name, or steer a web server in front of the hub. */
const notForBrowsers = new Set([
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

const ownTokens =
  /(?:^|[^A-Za-z0-9])(?:u_sk|u_session_sk|deployment)_[1-9A-HJ-NP-Za-km-z]{66}(?![A-Za-z0-9])/;

/** What a device is sent along with a request. */
export interface DeviceRequestSite {
  /** The host name that the browser used, with its port if any. */
  readonly host: string;
  readonly scheme: string;
  readonly cookie: ProxyCookie;
}

/** The headers of a request as the device gets them: nothing of ours, nothing of the connection, and one truthful account of where it came from. */
export function headersForDevice(request: IncomingMessage, site: DeviceRequestSite): FlatHeaders {
  const nominated = nominatedBy(request.headers.connection);
  const kept: FlatHeaders = [
    'Host',
    site.host,
    'X-Forwarded-Host',
    site.host,
    'X-Forwarded-Proto',
    site.scheme,
  ];
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    const key = normal(name.toLowerCase());
    if (hopByHop.has(key) || notForDevices.has(key) || nominated.has(key)) continue;
    if (key.startsWith('x-forwarded-') || key.startsWith('proxy-')) continue;
    if (key === 'authorization' && ownTokens.test(value)) continue;
    const shown = key === 'cookie' ? site.cookie.withoutOwn(value) : value;
    if (shown !== undefined) kept.push(name, shown);
  }
  return kept;
}

/** The headers of an answer as the browser gets them: what the device may say for its own host name. */
export function headersForBrowser(answer: AnswerHead, cookie: ProxyCookie): FlatHeaders {
  const nominated = nominatedBy(valuesOf(answer, 'connection').join());
  const kept: FlatHeaders = ['Origin-Agent-Cluster', '?1'];
  for (const { name, key: lowerName, value } of answer.headers) {
    const key = normal(lowerName);
    if (hopByHop.has(key) || notForBrowsers.has(key) || nominated.has(key)) continue;
    if (key.startsWith('x-accel-') || key.startsWith('x-corral-') || key.startsWith('proxy-')) continue;
    if (key === 'content-length' && answer.status === 204) continue;
    if (key === 'set-cookie' && !cookie.mayBeSet(value)) continue;
    kept.push(name, value);
  }
  return kept;
}

/** Programs on devices may take an underscore for a hyphen. */
function normal(lowerName: string): string {
  return lowerName.includes('_') ? lowerName.replaceAll('_', '-') : lowerName;
}

const nothing: ReadonlySet<string> = new Set();

function nominatedBy(connection = ''): ReadonlySet<string> {
  // What nearly all say names nothing that would not be dropped anyway.
  if (connection === '' || connection === 'keep-alive' || connection === 'close') return nothing;
  return new Set(connection.split(',').map((name) => normal(name.trim().toLowerCase())));
}
