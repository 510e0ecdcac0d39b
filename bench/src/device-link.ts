import { openLink, Ticker, type LinkSocket } from '@corral/client';
import { RpcClient } from '@corral/multiplex';
import { WebSocket } from 'ws';

/** A connection whose executor channels are called. */
export interface RpcLink {
  newClient(): Promise<RpcClient>;
  close(): void;
}

/** Connects to the hub's door for devices and command lines. Rejected with a ConnectError. */
export async function openRpc(hubUrl: string, headers: Record<string, string>): Promise<RpcLink> {
  const ticker = new Ticker();
  const createSocket = (url: string, form: object) => new WebSocket(url, form) as LinkSocket;
  const connection = await openLink({ hubUrl, headers, createSocket });
  ticker.add(connection);
  return {
    newClient: async () => new RpcClient(await connection.openChannel('executor')),
    close() {
      ticker.remove(connection);
      connection.close('');
    },
  };
}
