import { request } from 'node:http';
import { openLink, Ticker } from '@corral/client';
import { RpcClient } from '@corral/multiplex';

/** A connection for calls over executor channels. */
export interface RpcLink {
  newClient(): Promise<RpcClient>;
  close(): void;
}

/** Opens a multiplexed connection to the hub. Rejects with a ConnectError. */
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
