import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { NodeCertificate } from './node-certificate.ts';
import { peerProtocols } from './peer-connection.ts';

const connectTimeoutMs = 3_000;

/** Whether the other node speaks none of the versions of the protocol that this one does. */
export function speaksNoSharedVersion(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';
}

/** Connects to the process of another node, and resolves after the handshake. Rejects after 3 s, and where another process answers. */
export async function connectToPeer(
  { name, address }: { readonly name: string; readonly address: string },
  certificate: NodeCertificate,
  protocols = peerProtocols,
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
    ALPNProtocols: [...protocols],
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
