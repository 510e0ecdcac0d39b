import { expect, test } from 'vitest';
import { MultiplexConnection } from '../connection.ts';
import { settle } from '../../test/simulation.ts';
import { MemoryScheduler, MemoryTransport } from '../transports/memory.ts';
import { RpcClient } from './rpc-client.ts';
import { serveRpc, type RpcExecute, type RpcServing } from './serve-rpc.ts';

test('[RPC9] nothing of an input is read, and no memory reserved for it, before its call may begin', async () => {
  const scheduler = new MemoryScheduler(settle);
  const [near, far] = MemoryTransport.pair({ scheduler, delayMs: () => 1 });
  const now = (): number => scheduler.nowMs;
  const happened: string[] = [];
  const due = Promise.withResolvers<void>();
  const serving: RpcServing = {
    beforeInput(name) {
      happened.push(`asked for ${name}`);
      return name === 'later' ? due.promise : undefined;
    },
    reserveInput: () => void happened.push('reserved'),
  };
  const execute: RpcExecute = async (name) => ({ result: 'Ok', value: happened.push(`done ${name}`) });
  new MultiplexConnection({
    transport: near,
    now,
    onChannelRequest: (request) => void serveRpc(request.accept(), execute, serving),
  });
  const opening = new MultiplexConnection({ transport: far, now }).openChannel('executor');
  await scheduler.advance(5);
  const rpc = new RpcClient(await opening);
  const calls = [rpc.invoke('later', {}), rpc.invoke('now', {})];
  await scheduler.advance(5);
  expect(happened).toEqual(['asked for later']);
  due.resolve();
  await settle();
  await scheduler.advance(10);
  await Promise.all(calls);
  expect(happened.slice(1)).toEqual(['reserved', 'done later', 'asked for now', 'reserved', 'done now']);
});
