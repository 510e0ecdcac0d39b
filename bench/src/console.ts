import type { Id } from '@corral/contract';
import { findOrInstallChromium } from '@corral/tools';
import { chromium, type Browser } from '@playwright/test';
import type { BenchHub, BenchUser } from './bench-hub.ts';
import { listedDevices, measureDeviceList } from './console/device-list.ts';
import { largestPaintMs } from './console/largest-paint.ts';
import { changeDrawnMs, dotsDrawnMs } from './console/overview.ts';
import { measurePalette } from './console/palette.ts';
import { seedDevices } from './console/seed-devices.ts';
import type { Visitor } from './console/visit.ts';
import { barLine, type Line } from './table.ts';

const paintedDevices = 1_201;
const overviewDevices = 100_000;

/** How fast the console paints, opens its palette, and filters, sorts and scrolls 10,000 rows, and draws 100,000 devices, measured in Chromium. */
export async function consoleFigures(hub: BenchHub, user: BenchUser, databaseUrl: string): Promise<Line[]> {
  const browser = await chromium.launch({
    executablePath: findOrInstallChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
  try {
    const signedIn: Visitor = { browser, hub, cookie: user.cookie };
    return [
      ...(await paints(browser, hub, signedIn)),
      ...(await palette(signedIn)),
      ...(await fleetPaints(signedIn, user, databaseUrl)),
      ...(await deviceList(signedIn, user, databaseUrl)),
      ...(await overview(signedIn, user, databaseUrl)),
    ];
  } finally {
    await browser.close();
  }
}

async function paints(browser: Browser, hub: BenchHub, signedIn: Visitor): Promise<Line[]> {
  const visitor: Visitor = { browser, hub };
  const login = await largestPaintMs(visitor, '/login', 'h1');
  const projects = await largestPaintMs(signedIn, '/projects', 'h1');
  const anchor = await largestPaintMs(visitor, '/healthz', 'body');
  const compared = (path: string, ours: number): Line => ({
    ...barLine({ what: `${path}: largest paint, 4 × slower CPU`, unit: 'ms', ours, bar: 1_500 }),
    anchor,
    anchorName: 'a one-word page of the same hub',
  });
  return [compared('/login', login), compared('/projects', projects)];
}

async function palette(signedIn: Visitor): Promise<Line[]> {
  const { coldMs, warmMs } = await measurePalette(signedIn);
  return [
    barLine({ what: 'palette: first frame, code not loaded', unit: 'ms', ours: coldMs, bar: 120 }),
    barLine({ what: 'palette: first frame, code loaded', unit: 'ms', ours: warmMs, bar: 50 }),
  ];
}

async function fleetPaints(signedIn: Visitor, user: BenchUser, databaseUrl: string): Promise<Line[]> {
  const { projectId, executor } = user;
  await seedDevices(databaseUrl, projectId, { from: 1, to: paintedDevices });
  const { devices } = await executor.invoke('projects_QueryProjectDevices', { projectId, limit: 1 });
  const list = `/projects/${projectId}/devices`;
  const paint = async (what: string, path: string, selector: string) =>
    barLine({
      what: `${what}, 1,201 devices: largest paint, 4 × slower CPU`,
      unit: 'ms',
      ours: await largestPaintMs(signedIn, path, selector),
      bar: 1_500,
    });
  return [
    await paint('/projects', '/projects', 'article'),
    await paint('devices', list, 'tbody tr'),
    await paint('device', `${list}/${devices[0]?.deviceId}`, 'h1'),
  ];
}

async function overview(signedIn: Visitor, user: BenchUser, databaseUrl: string): Promise<Line[]> {
  const { projectId, executor } = user;
  await seedDevices(databaseUrl, projectId, { from: listedDevices + 1, to: overviewDevices });
  const { devices } = await executor.invoke('projects_QueryProjectDevices', { projectId, limit: 1 });
  const deviceId = devices[0]?.deviceId as Id<'device'>;
  let renamed = 0;
  const rename = () =>
    executor.invoke('devices_SetDeviceName', { deviceId, name: `crane-renamed-${(renamed += 1)}` });
  return [
    barLine({
      what: 'overview of 100,000 devices: dots drawn, 4 × slower CPU',
      unit: 'ms',
      ours: await dotsDrawnMs(signedIn, projectId),
      bar: 1_000,
    }),
    barLine({
      what: 'overview of 100,000 devices: longest task while one change is drawn',
      unit: 'ms',
      ours: await changeDrawnMs(signedIn, projectId, rename),
      bar: 16,
    }),
  ];
}

async function deviceList(signedIn: Visitor, { projectId }: BenchUser, databaseUrl: string): Promise<Line[]> {
  await seedDevices(databaseUrl, projectId, { from: paintedDevices + 1, to: listedDevices });
  const { filterMs, sortMs, slowFramesPercent } = await measureDeviceList(signedIn, projectId);
  return [
    barLine({
      what: '10,000 devices: filter at the hub, from the key to the rows',
      unit: 'ms',
      ours: filterMs,
      bar: 500,
    }),
    barLine({
      what: '10,000 devices: sort at the hub, from the click to the rows',
      unit: 'ms',
      ours: sortMs,
      bar: 300,
    }),
    barLine({
      what: '10,000 devices: frames over 34 ms while scrolling',
      unit: '%',
      ours: slowFramesPercent,
      bar: 2,
    }),
  ];
}
