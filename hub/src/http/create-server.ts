import { constants } from 'node:crypto';
import { createServer as createPlainServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Config } from '../config/config.ts';

/** The maximum size of the request line and the headers together, in bytes. */
export const maxHeaderBytes = 32_768;

const limits = {
  headersTimeout: 10_000,
  // No limit here: routes limit their bodies, and uploads and proxied requests may take long.
  requestTimeout: 0,
  keepAliveTimeout: 72_000,
  // How often Node checks for connections past their timeouts.
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: maxHeaderBytes,
  // Node would answer requests without a Host itself, and the limits of the listener would not see them.
  requireHostHeader: false,
} as const;

/**
 * Creates the server: plain HTTP, or HTTPS that requests a client certificate without verifying it. TLS sessions are never resumed, so that
 * each handshake presents it. An Upgrade header is ignored where `isUpgrade` returns false.
 */
export function createServer(
  tls: Config['tls'],
  listener: RequestListener,
  isUpgrade: (request: IncomingMessage) => boolean = () => true,
): Server {
  const options = { ...limits, shouldUpgradeCallback: isUpgrade };
  const server = tls === undefined ? createPlainServer(options) : createTls(options, tls);
  return server.on('request', listener).on('checkExpectation', listener);
}

function createTls(options: ServerOptions, tls: NonNullable<Config['tls']>): Server {
  return createTlsServer({
    ...options,
    cert: tls.cert,
    key: tls.key,
    requestCert: true,
    rejectUnauthorized: false,
    secureOptions: constants.SSL_OP_NO_TICKET,
    handshakeTimeout: 10_000,
  });
}
