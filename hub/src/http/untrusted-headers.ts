import { ActionError } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { certificateHeaderTrust } from '../config/certificate-header.ts';
import type { Executor } from '../executor/executor.ts';
import type { Log } from '../log/log.ts';
import { untrustedHeaderReports } from '../executor/untrusted-header-reports.ts';

interface Parts {
  readonly config: Config;
  readonly executor: Executor;
  readonly log: Log;
  readonly nowMs?: () => number;
}

/**
 * Refuses requests with `X-Client-Cert` from untrusted addresses. No route reads the header, but without this check a proxy that forwards
 * the header of its clients would go unnoticed.
 */
export function refuseUntrustedHeaders(server: FastifyInstance, parts: Parts): void {
  const trust = certificateHeaderTrust(parts.config);
  const reports = untrustedHeaderReports({ nowMs: () => performance.now(), ...parts });
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers, socket } = request.raw;
    if (headers['x-client-cert'] === undefined || trust(socket.remoteAddress) !== 'never') return done();
    reports.report(socket.remoteAddress);
    done(new ActionError('Invalid', 'The header X-Client-Cert is not accepted from this address.'));
  });
}
