import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connectPath } from '@corral/contract';
import { certificateHeaderTrust } from '../../config/certificate-header.ts';
import type { Config } from '../../config/config.ts';
import type { Executor } from '../../calls/executor.ts';
import { untrustedHeaderReports } from '../../calls/untrusted-header-reports.ts';
import type { Log } from '../../platform/log/log.ts';
import { refusalOf, refuseSocket, type UpgradeHandler } from './node-server.ts';
import type { PacedRequests } from './pace-requests.ts';
import { headerSets } from './responses.ts';

/** Serves the host names of devices' web pages. */
export interface DeviceHosts {
  handle(request: IncomingMessage, response: ServerResponse): void;
  handleUpgrade: UpgradeHandler;
  /** Whether a request has an access that was valid when it was last used; others are paced. */
  isKnown(request: IncomingMessage): boolean;
}

type Site = 'hub' | 'devices' | 'malformed' | 'misdirected';

/** Paths that programs may request by any host name; none of them uses cookies. */
const anyHostPaths = new Set([
  '/healthz',
  '/readyz',
  connectPath,
  '/download/corral-agent.mjs',
  '/download/corral.mjs',
]);

const refusals = {
  malformed: { status: '400 Bad Request', message: 'The request must name one host and a path.' },
  misdirected: {
    status: '421 Misdirected Request',
    message: 'The hub is not known by this name; CORRAL_PUBLIC_URL and CORRAL_HOST_NAMES say by which it is.',
  },
} as const;

/** Creates the rule that decides by the Host header which site a request is for. */
export function siteRule(config: Config): (request: IncomingMessage) => Site {
  const names = new Set([new URL(config.publicUrl).hostname, config.host.toLowerCase(), ...config.hostNames]);
  const isDeviceHost = new RegExp(`^[a-z0-9-]{1,63}\\.${config.proxy.domain.replaceAll('.', '\\.')}$`);
  return (request) => {
    const name = hostNameOf(request);
    if (name !== undefined && isDeviceHost.test(name) && !names.has(name))
      return hasAbsolutePath(request) ? 'devices' : 'malformed';
    if (lacksHost(request)) return 'malformed';
    if (anyHostPaths.has((request.url ?? '').split('?')[0] ?? '')) return 'hub';
    if (name === undefined) return 'malformed';
    // DNS rebinding needs a name that an attacker controls: addresses and localhost are safe.
    const isOwn = names.has(name) || name === 'localhost' || isAddress(name);
    return isOwn ? 'hub' : 'misdirected';
  };
}

const hostForm = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** The requested host name in lower case; undefined unless there is exactly one. */
function hostNameOf({ headers: { host = '' }, rawHeaders, url = '' }: IncomingMessage): string | undefined {
  if (countOf(rawHeaders, 'host') !== 1 || !(url.startsWith('/') || url === '*')) return undefined;
  return hostForm.exec(host.toLowerCase())?.[1];
}

/** HTTP/1.1 requires the header, also where the name is of no importance. */
function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

/** How often a header occurs; `key` is its name in lower case. */
function countOf(rawHeaders: readonly string[], key: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === key.length && name.toLowerCase() === key) count += 1;
  }
  return count;
}

function hasAbsolutePath({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/');
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

/** Routes requests by host: those of the hub to its own listener, those of devices to their handler; other hosts are refused. All but the hub's own are paced, except requests with a known access. */
export function routeHosts(
  siteOf: ReturnType<typeof siteRule>,
  devices: () => DeviceHosts | undefined,
  own: RequestListener,
  { pace, paceUnknown }: Pick<PacedRequests, 'pace' | 'paceUnknown'>,
): RequestListener {
  const toDevice = paceUnknown(
    (request, response) => devices()?.handle(request, response),
    (request) => devices()?.isKnown(request) === true,
  );
  const malformed = pace((request, response) => refuse(request, response, 'malformed'));
  const misdirected = pace((request, response) => refuse(request, response, 'misdirected'));
  return (request, response) => {
    const site = siteOf(request);
    if (site === 'hub') return own(request, response);
    if (site === 'devices' && devices() !== undefined) return toDevice(request, response);
    return site === 'malformed' ? malformed(request, response) : misdirected(request, response);
  };
}

/** Routes upgrade requests by host, those of devices paced as other requests are. */
export function routeHostUpgrades(
  siteOf: ReturnType<typeof siteRule>,
  devices: () => DeviceHosts | undefined,
  own: UpgradeHandler,
  { paceUpgrades }: Pick<PacedRequests, 'paceUpgrades'>,
): UpgradeHandler {
  const toDevice = paceUpgrades(
    (request, socket, head) => devices()?.handleUpgrade(request, socket, head),
    (request) => devices()?.isKnown(request) === true,
  );
  return (request, socket, head) => {
    const site = siteOf(request);
    if (site === 'hub') return own(request, socket, head);
    if (site === 'devices' && devices() !== undefined) return toDevice(request, socket, head);
    refuseUpgrade(socket, site === 'malformed' ? site : 'misdirected');
  };
}

function refuse(request: IncomingMessage, response: ServerResponse, why: keyof typeof refusals): void {
  const { status, message } = refusals[why];
  if (why === 'malformed' || !request.complete) response.shouldKeepAlive = false;
  response.writeHead(Number.parseInt(status, 10), {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify({ kind: 'Invalid', message }));
}

function refuseUpgrade(socket: Socket, why: keyof typeof refusals): void {
  const { status, message } = refusals[why];
  refuseSocket(socket, refusalOf(status, message));
}

interface Parts {
  readonly config: Config;
  readonly version: string;
  readonly executor: Executor;
  readonly log: Log;
  readonly nowMs?: () => number;
}

/** Refuses requests with `X-Client-Cert` from untrusted addresses, and records them. */
interface UntrustedHeaders {
  /** Refuses such requests of all hosts and paths, at the pace of other requests; the others go to the listener. */
  refuse(own: RequestListener): RequestListener;
  /** The same for upgrades on the hosts of devices, which are paced already. Those of the hub's own paths check the header by themselves. */
  refuseUpgrades(hosts: DeviceHosts): DeviceHosts;
}

const message = 'The header X-Client-Cert is not accepted from this address.';
const badRequest = refusalOf('400 Bad Request', message);

/** Creates the check. No route reads the header, but without the check a proxy that forwards the header of its clients would go unnoticed. */
export function untrustedHeaders(parts: Parts, { pace }: Pick<PacedRequests, 'pace'>): UntrustedHeaders {
  const trust = certificateHeaderTrust(parts.config);
  const reports = untrustedHeaderReports({ nowMs: () => performance.now(), ...parts });
  const { api } = headerSets(parts.config, parts.version);
  const isUntrusted = ({ headers, socket }: IncomingMessage): boolean =>
    headers['x-client-cert'] !== undefined && trust(socket.remoteAddress) === 'never';
  const refused = pace((request, response) => {
    reports.report(request.socket.remoteAddress);
    if (!request.complete) response.shouldKeepAlive = false;
    response.writeHead(400, { ...api, 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ kind: 'Invalid', message }));
  });
  return {
    refuse: (own) => (request, response) => (isUntrusted(request) ? refused : own)(request, response),
    refuseUpgrades: (hosts) => ({
      ...hosts,
      handleUpgrade(request, socket, head) {
        if (!isUntrusted(request)) return hosts.handleUpgrade(request, socket, head);
        reports.report(socket.remoteAddress);
        refuseSocket(socket, badRequest);
      },
    }),
  };
}
