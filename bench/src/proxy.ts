import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nginxProxy } from './anchors/nginx-proxy.ts';
import { load, percentile } from './load.ts';
import { startProgram } from './processes.ts';
import type { Testbed } from './testbed.ts';
import { newDeviceToken, startBenchAgent } from './bench-agent.ts';
import { line, type Line } from './table.ts';

const callers = 16;
const timing = { callers, warmUpMs: 1_000, measureMs: 5_000 };
const mebibyte = 1024 * 1024;
/** One file of 64 MiB takes a fifth of a second, half of which the first one spends on starting: the median of five. */
const largeFiles = 5;

/** Address of a page: a port of this machine, and headers with the host name and cookie. */
interface PageAddress {
  readonly port: number;
  readonly headers: Record<string, string>;
}

interface PageFigures {
  readonly perSecond: number;
  /** The median time to first byte of sequential requests, in milliseconds. */
  readonly firstByteMs: number;
  readonly mibps: number;
}

/** Throughput and latency of a device's web pages through the hub, compared with nginx in front of the same server. */
export async function proxy(testbed: Testbed): Promise<Line[]> {
  const upstream = startProgram('bench/src/anchors/http-upstream.ts');
  const upstreamPort = Number(await upstream.waitForLine(/listening (\d+)/));
  const folder = await mkdtemp(join(tmpdir(), 'corral-bench-'));
  const token = await newDeviceToken(testbed.user);
  const agent = await startBenchAgent(testbed.hub.url, token, join(folder, 'agent'));
  const nginx = await nginxProxy(upstreamPort);
  try {
    const anchor = await measurePages({ port: nginx.port, headers: { host: 'device.example' } });
    const ours = await measurePages(await openPage(testbed, agent.deviceId, upstreamPort));
    return compare(ours, anchor);
  } finally {
    await nginx.stop();
    await agent.stop();
    await upstream.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function compare(ours: PageFigures, anchor: PageFigures): Line[] {
  const anchorName = 'nginx, same upstream';
  const what = (text: string): string => `web pages of a device, ${text}`;
  const requests = { ours: ours.perSecond, anchor: anchor.perSecond, anchorName };
  const first = { ours: ours.firstByteMs, anchor: anchor.firstByteMs, anchorName };
  const bandwidth = { ours: ours.mibps, anchor: anchor.mibps, anchorName };
  return [
    line({ what: what(`pages of 1 KiB by ${callers} callers`), unit: '/s', ...requests }),
    line({ what: what('first byte'), unit: 'ms', ...first }),
    line({ what: what('a file of 64 MiB'), unit: 'MiB/s', ...bandwidth }),
  ];
}

/** Opens a page as a browser does: a one-time address sets the cookie. */
async function openPage(testbed: Testbed, deviceId: string, devicePort: number): Promise<PageAddress> {
  const { url } = await testbed.user.executor.invoke('devices_IssueDeviceHttpProxyToken', {
    deviceId: deviceId as never,
    port: devicePort,
  });
  const { host, pathname, search } = new URL(url);
  const port = Number(new URL(testbed.hub.url).port);
  const answer = await get({ port, headers: { host } }, `${pathname}${search}`);
  answer.resume();
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`The page could not be opened: ${answer.statusCode}.`);
  return { port, headers: { host, cookie } };
}

async function measurePages(page: PageAddress): Promise<PageFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const getPage = () => getAll(page, '/', agent);
  const { perSecond } = await load(getPage, timing);
  const firstBytes: number[] = [];
  for (let count = 0; count < 300; count += 1) firstBytes.push((await getPage()).firstByteMs);
  const rates: number[] = [];
  for (let count = 0; count < largeFiles; count += 1) {
    const startedAt = performance.now();
    const { sizeBytes } = await getAll(page, '/large', agent);
    rates.push(sizeBytes / mebibyte / ((performance.now() - startedAt) / 1_000));
  }
  agent.destroy();
  return { perSecond, firstByteMs: percentile(firstBytes, 0.5), mibps: percentile(rates, 0.5) };
}

interface Response {
  readonly firstByteMs: number;
  readonly sizeBytes: number;
}

/** Reads a complete response. Rejects unless its status is 200 and its length as announced. */
async function getAll(page: PageAddress, path: string, agent: Agent): Promise<Response> {
  const startedAt = performance.now();
  const answer = await get(page, path, agent);
  let firstByteMs = 0;
  let sizeBytes = 0;
  answer.on('data', (bytes: Buffer) => {
    if (sizeBytes === 0) firstByteMs = performance.now() - startedAt;
    sizeBytes += bytes.length;
  });
  await new Promise((resolve, reject) => answer.on('end', resolve).on('error', reject));
  const { statusCode, headers } = answer;
  if (statusCode !== 200 || sizeBytes !== Number(headers['content-length']))
    throw new Error(`${path} was answered ${statusCode} with ${sizeBytes} bytes.`);
  return { firstByteMs, sizeBytes };
}

function get({ port, headers }: PageAddress, path: string, agent?: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, headers, ...(agent === undefined ? {} : { agent }) };
    request(options, resolve).on('error', reject).end();
  });
}
