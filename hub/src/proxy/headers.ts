import type { IncomingMessage } from 'node:http';
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
  for (const [name, value] of pairs(request.rawHeaders)) {
    const key = normal(name);
    if (hopByHop.has(key) || notForDevices.has(key) || nominated.has(key)) continue;
    if (key.startsWith('x-forwarded-') || key.startsWith('proxy-')) continue;
    if (key === 'authorization' && ownTokens.test(value)) continue;
    const shown = key === 'cookie' ? site.cookie.withoutOwn(value) : value;
    if (shown !== undefined) kept.push(name, shown);
  }
  return kept;
}

/** The headers of an answer as the browser gets them: what the device may say for its own host name. */
export function headersForBrowser(answer: IncomingMessage, cookie: ProxyCookie): FlatHeaders {
  const nominated = nominatedBy(answer.headers.connection);
  const kept: FlatHeaders = ['Origin-Agent-Cluster', '?1'];
  for (const [name, value] of pairs(answer.rawHeaders)) {
    const key = normal(name);
    if (hopByHop.has(key) || notForBrowsers.has(key) || nominated.has(key)) continue;
    if (key.startsWith('x-accel-') || key.startsWith('x-corral-') || key.startsWith('proxy-')) continue;
    if (key === 'content-length' && answer.statusCode === 204) continue;
    if (key === 'set-cookie' && !cookie.mayBeSet(value)) continue;
    kept.push(name, value);
  }
  return kept;
}

const maxAnswerHeaders = 100;

/** Why an answer of a device must not be passed on, though it could be read; undefined when it may. */
export function faultOf({ rawHeaders, headers, statusCode = 0 }: IncomingMessage): string | undefined {
  if (rawHeaders.length / 2 > maxAnswerHeaders) return 'too many headers';
  if (headers['content-length'] !== undefined && headers['transfer-encoding'] !== undefined)
    return 'two lengths of the body';
  const coding = headers['transfer-encoding']?.trim().toLowerCase();
  if (coding !== undefined && coding !== 'chunked') return 'an unknown transfer coding';
  return statusCode >= 200 && statusCode <= 599 ? undefined : 'no final status';
}

function* pairs(rawHeaders: readonly string[]): Generator<readonly [string, string]> {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    yield [rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''];
}

/** Programs on devices may take an underscore for a hyphen. */
function normal(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

function nominatedBy(connection: string | undefined): Set<string> {
  return new Set((connection ?? '').split(',').map((name) => normal(name.trim())));
}
