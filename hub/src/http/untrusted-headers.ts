import type { IncomingMessage, RequestListener } from 'node:http';
import type { Config } from '../config/config.ts';
import { certificateHeaderTrust } from '../config/certificate-header.ts';
import type { Executor } from '../executor/executor.ts';
import { untrustedHeaderReports } from '../executor/untrusted-header-reports.ts';
import type { Log } from '../log/log.ts';
import { headerSets } from './headers.ts';
import type { DeviceHosts } from './hosts.ts';
import type { PacedRequests } from './pace-requests.ts';
import { refusalOf, refuseSocket } from './refuse-socket.ts';

interface Parts {
  readonly config: Config;
  readonly version: string;
  readonly executor: Executor;
  readonly log: Log;
  readonly nowMs?: () => number;
}

/** Refuses requests with `X-Client-Cert` from untrusted addresses, and records them. */
export interface UntrustedHeaders {
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
