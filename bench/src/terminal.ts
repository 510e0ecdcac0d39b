import { once } from 'node:events';
import { request } from 'node:http';
import { openLink, Ticker } from '@corral/client';
import { ByteReader, type Channel, type ChannelRequest, RpcClient } from '@corral/multiplex';
import { WebSocket } from 'ws';
import { deviceHeaders, prepareDevices, type BenchDevices } from './devices.ts';
import { percentile } from './load.ts';
import { residentBytes, sleep } from './processes.ts';
import { barLine, leastLine, line, type Line } from './table.ts';
import type { Testbed } from './testbed.ts';

const keys = 2_000;
const mebibyte = 1024 ** 2;
/** Less than the recording of one terminal may have. */
const recordedBytes = 60 * mebibyte;
const totalBytes = 100 * mebibyte;
const frameBytes = 4_096;
const bars = { addedMs: 10, leastOfUnrecorded: 0.95, memoryMebibytes: 16 };
const outputLine = `${'0123456789'.repeat(8)}\r\n`;

/** Echo of keys through a terminal beside a raw channel, output with and without a recording, and the memory of the hub while nobody draws. */
export async function terminal(testbed: Testbed): Promise<Line[]> {
  const { executor, projectId } = testbed.user;
  await executor.invoke('projects_SetTerminalPolicy', {
    projectId,
    access: 'Owners',
    isReasonNeeded: false,
    approval: 'None',
    recording: 'BestEffort',
    allowsTokens: true,
  });
  const devices = await prepareDevices(testbed.user, 1);
  const device = await connect(testbed, devices);
  try {
    return [
      ...(await echo(testbed, device)),
      ...(await output(testbed, device)),
      ...(await undrawn(testbed, device)),
    ];
  } finally {
    device.close();
  }
}

interface PlayedDevice {
  readonly deviceId: string;
  /** The terminals that were opened, the newest last. */
  readonly shells: Channel[];
  close(): void;
}

/** A device that echoes, through terminals and through forwards. */
async function connect(testbed: Testbed, devices: BenchDevices): Promise<PlayedDevice> {
  const shells: Channel[] = [];
  const onChannelRequest = (asked: ChannelRequest): void => {
    const isTerminal = asked.endpoint.startsWith('terminal');
    const channel = asked.accept();
    if (isTerminal) shells.push(channel);
    void channel.drain((bytes) => channel.write(Uint8Array.from(bytes)));
  };
  const headers = { ...deviceHeaders(devices), 'x-device-fingerprint': devices.fingerprints[0] ?? '' };
  const connection = await openLink({ hubUrl: testbed.hub.url, headers, request, onChannelRequest });
  const ticker = new Ticker();
  ticker.add(connection);
  const deviceId = devices.deviceIds[0] ?? '';
  const value = { agent: { config: { terminal: { enabled: true } } } };
  const name = 'dev.nexigon.system.info';
  await new RpcClient(await connection.openChannel('executor')).invoke('devices_SetProperty', {
    deviceId,
    name,
    value,
  });
  return {
    deviceId,
    shells,
    close() {
      ticker.remove(connection);
      connection.close('');
    },
  };
}

async function open({ user, hub }: Testbed, { deviceId, shells }: PlayedDevice) {
  const before = shells.length;
  const opened = await user.executor.invoke('devices_OpenTerminal', { deviceId: deviceId as never });
  if (opened.result !== 'Opened') throw new Error('The terminal waits for an approval.');
  const address = `${hub.url.replace('http', 'ws')}/api/v1/terminal/${opened.sessionId}?ticket=${opened.ticket}`;
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${user.token}` } });
  await once(socket, 'open');
  while (shells.length === before) await sleep(10);
  return { socket, shell: shells.at(-1) as Channel };
}

function frameOf(bytes: Uint8Array): Buffer {
  const frame = Buffer.alloc(5 + bytes.length);
  frame.writeUInt32BE(1 + bytes.length);
  frame.set(bytes, 5);
  return frame;
}

async function echo(testbed: Testbed, device: PlayedDevice): Promise<Line[]> {
  const { socket } = await open(testbed, device);
  const key = frameOf(Buffer.from('k'));
  const throughTerminal = await times(async () => {
    const echoed = nextOutput(socket);
    socket.send(key);
    await echoed;
  });
  socket.terminate();
  const headers = {
    authorization: `Bearer ${testbed.user.token}`,
    'x-user-token': testbed.user.token,
    'x-register-connection': 'true',
  };
  const connection = await openLink({ hubUrl: testbed.hub.url, headers, request });
  const channel = await connection.openChannel(`device/${device.deviceId}/proxy/forward/tcp/80`);
  const reader = new ByteReader(channel);
  const raw = await times(async () => {
    await channel.write(key);
    await reader.read(key.length);
  });
  connection.close('');
  const [ours, anchor] = [percentile(throughTerminal, 0.99), percentile(raw, 0.99)];
  return [
    line({
      what: `a key typed in a terminal is echoed, p99 of ${keys}`,
      unit: 'ms',
      ours,
      anchor,
      anchorName: 'a raw channel through the hub',
    }),
    barLine({
      what: 'that is more than the raw channel by',
      unit: 'ms',
      ours: ours - anchor,
      bar: bars.addedMs,
    }),
  ];
}

async function nextOutput(socket: WebSocket): Promise<void> {
  for (;;) {
    const [, isBinary] = (await once(socket, 'message')) as [Buffer, boolean];
    if (isBinary) return;
  }
}

async function times(work: () => Promise<void>): Promise<number[]> {
  const found: number[] = [];
  for (let count = 0; count < keys; count += 1) {
    const from = performance.now();
    await work();
    found.push(performance.now() - from);
  }
  return found;
}

const piece = frameOf(
  Buffer.from(outputLine.repeat(Math.ceil(frameBytes / outputLine.length)).slice(0, frameBytes)),
);

/** Sends output until the client has it; in bytes a second. */
async function throughput(socket: WebSocket, shell: Channel, sizeBytes: number): Promise<number> {
  const from = performance.now();
  let received = 0;
  const all = new Promise<void>((resolve) => {
    const onMessage = (data: Buffer, isBinary: boolean): void => {
      if (!isBinary) return;
      received += data.length - 5;
      if (received < sizeBytes) return;
      socket.off('message', onMessage);
      resolve();
    };
    socket.on('message', onMessage);
  });
  for (let sent = 0; sent < sizeBytes; sent += frameBytes) await shell.write(piece);
  await all;
  return sizeBytes / ((performance.now() - from) / 1000);
}

async function output(testbed: Testbed, device: PlayedDevice): Promise<Line[]> {
  const { socket, shell } = await open(testbed, device);
  const recorded = await throughput(socket, shell, recordedBytes);
  // The recording is full from here on.
  await throughput(socket, shell, recordedBytes / 4);
  const unrecorded = await throughput(socket, shell, recordedBytes);
  socket.terminate();
  return [
    line(
      {
        what: `${recordedBytes / mebibyte} MiB of output of a terminal, recorded`,
        unit: 'MiB/s',
        ours: recorded / mebibyte,
        anchor: unrecorded / mebibyte,
        anchorName: 'the same terminal once its recording is full',
      },
      { atLeast: bars.leastOfUnrecorded },
    ),
    leastLine({ what: 'that is at least', unit: 'MiB/s', ours: recorded / mebibyte, bar: 1 }),
  ];
}

/** How much the hub grows while a device has 100 MiB to say to a client that draws nothing. */
async function undrawn(testbed: Testbed, device: PlayedDevice): Promise<Line[]> {
  const { socket, shell } = await open(testbed, device);
  socket.send(JSON.stringify({ type: 'Drawn', bytes: 0 }));
  await sleep(2_000);
  const { pid } = testbed.hub.program;
  const before = residentBytes(pid);
  void (async () => {
    for (let sent = 0; sent < totalBytes; sent += frameBytes) await shell.write(piece);
  })().catch(() => undefined);
  await sleep(5_000);
  const grown = (residentBytes(pid) - before) / mebibyte;
  socket.terminate();
  return [
    barLine({
      what: `memory of the hub grows while ${totalBytes / mebibyte} MiB wait for a client that draws nothing, by`,
      unit: 'MiB',
      ours: Math.max(0, grown),
      bar: bars.memoryMebibytes,
    }),
  ];
}
