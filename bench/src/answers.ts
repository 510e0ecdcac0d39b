import { ids } from '@corral/contract';
import pg from 'pg';
import { freePort } from '@corral/tools';
import { sessionOf } from './list-times.ts';
import { residentBytes } from './processes.ts';
import { barLine, type Line } from './table.ts';
import type { Testbed } from './testbed.ts';

const mib = 2 ** 20;
/** A page of properties that is as large as an answer may be. */
const [properties, propertyChars] = [7, 1_000_000];
const callsAtOnce = 16;
const sampleMs = 10;
/** What 16 large answers may add to the memory of the hub: at most, and once V8 has collected what nobody holds. */
const [peakBarMib, heldBarMib] = [100, 20];

/** By how much large answers that are read at once make the memory of the hub grow, and how much of that is more than garbage. */
export async function answers(testbed: Testbed): Promise<Line[]> {
  const deviceId = await seedDevice(testbed);
  const port = await freePort();
  const hub = await testbed.restart({ NODE_OPTIONS: `--inspect=127.0.0.1:${port}` });
  const inspector = await inspect(port);
  const session = sessionOf(testbed);
  const call = () => session.invoke('devices_QueryDeviceProperties', { deviceId });
  const memory = () => residentBytes(hub.program.pid);
  // Connections, prepared statements and code are there after the first.
  await call();
  await inspector.collectGarbage();
  const [before, usedBefore] = [memory(), await inspector.usedBytes()];
  let peak = before;
  const sampler = setInterval(() => (peak = Math.max(peak, memory())), sampleMs);
  await Promise.all(Array.from({ length: callsAtOnce }, call));
  clearInterval(sampler);
  await inspector.collectGarbage();
  const held = (await inspector.usedBytes()) - usedBefore;
  // A process that is inspected does not exit.
  inspector.close();
  const what = `${callsAtOnce} answers of ${Math.round((6 * propertyChars) / mib)} MiB at once`;
  await testbed.restart();
  return [
    barLine({
      what: `${what}, memory more at most`,
      unit: 'MiB',
      ours: (peak - before) / mib,
      bar: peakBarMib,
    }),
    barLine({
      what: `${what}, of that held after a collection`,
      unit: 'MiB',
      ours: Math.max(0, held) / mib,
      bar: heldBarMib,
    }),
  ];
}

async function seedDevice({ user, databaseUrl }: Testbed): Promise<`d_${string}`> {
  const { deviceId } = await user.executor.invoke('devices_CreateDevice', {
    projectId: user.projectId,
    fingerprint: `d_sk_${'a'.repeat(44)}`,
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into device_properties (device_id, name, value, is_protected, updated_at)
       select $1, 'large ' || n, to_jsonb(repeat('x', ${propertyChars})), false, now() from generate_series(1, ${properties}) as n`,
      [ids.device.raw(deviceId)],
    );
  } finally {
    await client.end();
  }
  return deviceId;
}

interface Inspector {
  /** Ends when nothing is left that could be collected. */
  collectGarbage(): Promise<void>;
  /** The heap in use and the buffers outside of it, in bytes. */
  usedBytes(): Promise<number>;
  close(): void;
}

/** Connects to the inspector of a process. */
async function inspect(port: number): Promise<Inspector> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('The inspector does not answer.')));
  });
  const answers = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
    answers.get(id)?.(result);
  });
  let count = 0;
  const send = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      count += 1;
      answers.set(count, resolve);
      socket.send(JSON.stringify({ id: count, method, params }));
    });
  return {
    async collectGarbage() {
      await send('HeapProfiler.enable');
      await send('HeapProfiler.collectGarbage');
    },
    async usedBytes() {
      const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
      const { result } = (await send('Runtime.evaluate', { expression })) as { result: { value: number } };
      return result.value;
    },
    close: () => socket.close(),
  };
}
