import { constants } from 'node:crypto';
import { createServer as createPlainServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Config } from '../config/config.ts';

/** How long the first line and the headers of a request may be together. */
export const maxHeaderBytes = 32_768;

const limits = {
  headersTimeout: 10_000,
  // Bodies are limited by whom the request is for: uploads, and what goes on to a device, may take long.
  requestTimeout: 0,
  keepAliveTimeout: 72_000,
  // Node looks for connections that are over their time this often.
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: maxHeaderBytes,
} as const;

/**
 * Makes the listener: plain HTTP, or HTTPS that asks for a client certificate and judges none, since those of devices are
 * self-signed. Sessions are never resumed, so that each handshake shows its certificate. What asks for an upgrade that is none is an ordinary
 * request.
 */
export function createServer(
  tls: Config['tls'],
  listener: RequestListener,
  isUpgrade: (request: IncomingMessage) => boolean = () => true,
): Server {
  const options = { ...limits, shouldUpgradeCallback: isUpgrade };
  if (tls === undefined) return createPlainServer(options, listener);
  return createTlsServer(
    {
      ...options,
      cert: tls.cert,
      key: tls.key,
      requestCert: true,
      rejectUnauthorized: false,
      secureOptions: constants.SSL_OP_NO_TICKET,
      handshakeTimeout: 10_000,
    },
    listener,
  );
}
