import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { MultiplexConnection } from '@corral/multiplex';
import { SampledLog } from '../../platform/log/sampled-log.ts';
import type { NodeCertificate } from './node-certificate.ts';
import { peerProtocols, protocolsWithoutResumable, startPeerConnection } from './peer-connection.ts';
import { serveChannelRequest, type OpenHere, type ServeTerminal } from './peer-requests.ts';
import type { LogFields } from '../../platform/log/log-fields.ts';

/** The listener of this node for the others. */
export interface PeerListener {
  readonly port: number;
  /** Ends the connections of other nodes, and with them their channels to the devices of this node. */
  stop(): Promise<void>;
}

interface ListenerParts {
  readonly certificate: NodeCertificate;
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly openHere: OpenHere;
  readonly serveTerminal: ServeTerminal;
  readonly log: Record<'info' | 'warn', (fields: LogFields, message: string) => void>;
}

/** A cluster has some tens of nodes; what comes beyond this is closed before its handshake. */
const maxConnections = 512;
const handshakeTimeoutMs = 5_000;

/** A server that only certificates of the authority of the cluster get past. */
function createTlsServer(certificate: NodeCertificate, log: ListenerParts['log']): Server {
  const refusals = new SampledLog(() => performance.now());
  const server = createServer({
    cert: certificate.certificatePem,
    key: certificate.keyPem,
    ca: certificate.authorityPem,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.3',
    ALPNProtocols: [...peerProtocols],
    handshakeTimeout: handshakeTimeoutMs,
  });
  server.maxConnections = maxConnections;
  server.on('tlsClientError', (error, socket) => {
    const fields = { address: socket.remoteAddress, reason: error.message };
    refusals.write('tls', (...entry) => log.warn(...entry), fields, 'a connection for nodes was refused');
    socket.destroy();
  });
  return server;
}

/** Listens for the other nodes of the cluster. Only a certificate of the authority of the cluster passes the TLS handshake. */
export async function listenForPeers({
  certificate,
  host,
  port,
  openHere,
  serveTerminal,
  log,
}: ListenerParts): Promise<PeerListener> {
  const connections = new Set<MultiplexConnection>();
  const server = createTlsServer(certificate, log);
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => socket.destroy());
    if (!peerProtocols.includes(socket.alpnProtocol || '')) return void socket.destroy();
    const { alpnProtocol, remoteAddress: address } = socket;
    const protocol = alpnProtocol || '';
    const hasResumable = !protocolsWithoutResumable.includes(protocol);
    const node = { node: socket.getPeerCertificate().subject.CN, address, protocol };
    const connection = startPeerConnection(socket, 'server', {
      onChannelRequest: (request) =>
        void serveChannelRequest(request, openHere, { hasResumable, serveTerminal }),
      onClosed({ cause, reason }) {
        connections.delete(connection);
        log.info({ ...node, cause, reason }, 'another node disconnected');
      },
    });
    connections.add(connection);
    log.info(node, 'another node connected');
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const connection of connections) connection.close('the hub is stopping');
      await closed;
    },
  };
}
