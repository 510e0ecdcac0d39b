import { request } from 'node:http';
import { ConnectError, openLink, Ticker } from '@corral/client';
import { RpcClient, type MultiplexConnection } from '@corral/multiplex';
import { deviceHeaders, type BenchDevices } from './devices.ts';
import { sleep } from './processes.ts';

/** How many connections are opened at a time. */
const openedAtOnce = 12;

/** Connected devices, each with a client for its calls. */
export interface ConnectedDevices {
  readonly clients: readonly RpcClient[];
  close(): void;
}

/** Connects the first of the devices. */
export async function connectDevices(
  hubUrl: string,
  devices: BenchDevices,
  count: number,
): Promise<ConnectedDevices> {
  const ticker = new Ticker();
  const connections: MultiplexConnection[] = [];
  const clients: RpcClient[] = [];
  const waiting = devices.fingerprints.slice(0, count).entries();
  const connect = async (): Promise<void> => {
    for (const [index, fingerprint] of waiting) {
      const headers = { ...deviceHeaders(devices), 'x-device-fingerprint': fingerprint };
      const connection = await openWhenAdmitted({ hubUrl, headers, request });
      ticker.add(connection);
      connections.push(connection);
      clients[index] = new RpcClient(await connection.openChannel('executor'));
    }
  };
  await Promise.all(Array.from({ length: openedAtOnce }, connect));
  return {
    clients,
    close() {
      for (const connection of connections) {
        ticker.remove(connection);
        connection.close('');
      }
    },
  };
}

/** Opens a connection; a hub that admits no more at present says when it will. */
async function openWhenAdmitted(options: Parameters<typeof openLink>[0]): Promise<MultiplexConnection> {
  for (;;) {
    try {
      return await openLink(options);
    } catch (error) {
      if (!(error instanceof ConnectError) || error.retryAfterMs === undefined) throw error;
      await sleep(error.retryAfterMs);
    }
  }
}
