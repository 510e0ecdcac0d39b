import { ConnectError, type Executor, type Ticker } from '@corral/client';
import { parseExactJson, type Id, type Json } from '@corral/contract';
import { RpcClient, RpcError, type ConnectionEnd, type MultiplexConnection } from '@corral/multiplex';
import { connect, type ConnectOptions } from './connect.ts';

/** An open connection on which the hub has identified this device. */
export interface DeviceLink {
  readonly deviceId: Id<'device'>;
  /** Runs actions as the device; rejected with RpcError for an error answer, with ChannelClosure when the connection ends. */
  readonly executor: Executor;
  /** An executor on a channel of its own, whose calls wait for no others. Rejected when the connection ends. */
  openExecutor(): Promise<Executor>;
  /** Writes a property of this device by the name of newer clients, which tells the hub that it may open other channels than forwards. Rejected as calls are. */
  setProperty(name: string, value: Json): Promise<void>;
  /** Fulfilled when the connection has ended. */
  readonly closed: Promise<ConnectionEnd>;
  /** How the connection ended; undefined while it lives. */
  readonly end: ConnectionEnd | undefined;
  /** Ends the connection. */
  close(reason: string): void;
}

/** How long the hub may take to identify the device. */
const identificationTimeoutMs = 30_000;

/** Connects and asks the hub which device this is. Rejected with a ConnectError. */
export async function openDeviceLink(options: ConnectOptions, ticker: Ticker): Promise<DeviceLink> {
  const connection = await connect(options);
  ticker.add(connection);
  const closed = connection.closed.finally(() => ticker.remove(connection));
  const cancel = (): void => connection.close('the agent is stopping');
  const timeout = setTimeout(() => connection.close('the hub does not answer'), identificationTimeoutMs);
  options.signal?.addEventListener('abort', cancel, { once: true });
  try {
    const rpc = await openRpc(connection);
    const { executor, deviceId } = await identify(rpc);
    return {
      deviceId,
      executor,
      openExecutor: async () => executorOn(await openRpc(connection)),
      async setProperty(name, value) {
        await rpc.invoke('devices_SetProperty', { deviceId, name, value });
      },
      closed,
      get end() {
        return connection.end;
      },
      close: (reason) => connection.close(reason),
    };
  } catch (error) {
    connection.close('the hub did not identify this device');
    throw asConnectError(error, connection.end);
  } finally {
    clearTimeout(timeout);
    options.signal?.removeEventListener('abort', cancel);
  }
}

async function openRpc(connection: MultiplexConnection): Promise<RpcClient> {
  return new RpcClient(await connection.openChannel('executor'), parseExactJson);
}

const executorOn = (rpc: RpcClient): Executor => ({
  invoke: async (name, input) => (await rpc.invoke(name, input)) as never,
});

async function identify(rpc: RpcClient): Promise<Pick<DeviceLink, 'executor' | 'deviceId'>> {
  const executor = executorOn(rpc);
  const { actor } = await executor.invoke('actor_GetActor', {});
  if (actor.actor !== 'Device') throw new ConnectError('The hub does not take this program for a device.');
  return { executor, deviceId: actor.deviceId as Id<'device'> };
}

function asConnectError(error: unknown, end: ConnectionEnd | undefined): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof RpcError) return new ConnectError(`The hub answered ${error.kind}: ${error.message}`);
  const reason = end?.reason || (error instanceof Error ? error.message : '') || 'the connection ended';
  return new ConnectError(`The hub ended the connection: ${reason}.`);
}
