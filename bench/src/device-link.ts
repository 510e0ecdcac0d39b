import { request } from 'node:http';
import { openLink, Ticker } from '@corral/client';
import { RpcClient } from '@corral/multiplex';

/** A connection whose executor channels are called. */
export interface RpcLink {
  newClient(): Promise<RpcClient>;
  close(): void;
}

/** Connects to the hub's door for devices and command lines. Rejected with a ConnectError. */
export async function openRpc(hubUrl: string, headers: Record<string, string>): Promise<RpcLink> {
  const ticker = new Ticker();
  const connection = await openLink({ hubUrl, headers, request });
  ticker.add(connection);
  return {
    newClient: async () => new RpcClient(await connection.openChannel('executor')),
    close() {
      ticker.remove(connection);
      connection.close('');
    },
  };
}
