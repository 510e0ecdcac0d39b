import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { NodeCertificate } from './node-certificate.ts';
import { peerProtocol } from './peer-connection.ts';

const connectTimeoutMs = 3_000;

/** Connects to the process of another node, and resolves after the handshake. Rejects after 3 s, and where another process answers. */
export async function connectToPeer(
  { name, address }: { readonly name: string; readonly address: string },
  certificate: NodeCertificate,
): Promise<TLSSocket> {
  const { hostname, port } = new URL(`tls://${address}`);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port),
    // The certificate must be that of this very process: its successor at the same address does not have these devices.
    servername: name,
    cert: certificate.certificatePem,
    key: certificate.keyPem,
    ca: certificate.authorityPem,
    minVersion: 'TLSv1.3',
    ALPNProtocols: [peerProtocol],
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(connectTimeoutMs) });
  } catch (error) {
    socket.on('error', () => undefined);
    socket.destroy();
    throw error;
  }
  socket.on('error', () => socket.destroy());
  return socket;
}
