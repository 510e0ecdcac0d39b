import type { Json } from '@corral/contract';
import type { SystemInfo } from '../system/system-info.ts';

/** The system information, metadata and properties of a simulated device; always the same for the same index. */
export interface GeneratedDevice {
  readonly systemInfo: SystemInfo;
  readonly metadata: Record<string, Json>;
  readonly properties: Record<string, Json>;
}

const systems = [
  { name: 'Debian GNU/Linux', version: '12', kernel: '6.1.0-26-arm64', arch: 'aarch64', memoryGiB: 2 },
  { name: 'Raspberry Pi OS', version: '13', kernel: '6.12.47+rpt-rpi-v8', arch: 'aarch64', memoryGiB: 4 },
  { name: 'Ubuntu Core', version: '24', kernel: '6.8.0-64-generic', arch: 'x86_64', memoryGiB: 8 },
  { name: 'Alpine Linux', version: '3.22.1', kernel: '6.12.38-0-lts', arch: 'x86_64', memoryGiB: 1 },
  { name: 'Yocto', version: '5.0.11', kernel: '6.6.99-yocto-standard', arch: 'armv7l', memoryGiB: 0.5 },
] as const;
const sites = ['Nordhafen', 'Mill Lane', 'Quai Sud', 'Oakfield', 'Vesterbro', 'Cala Blanca', 'Steinbruch'];
const models = ['GX-200', 'GX-400', 'Trackside 7', 'CamBox 2', 'Meterling'];
/** Most devices have the newest one. */
const versions = [
  '1.4.1',
  '1.4.1',
  '1.4.1',
  '1.4.1',
  '1.4.1',
  '1.4.1',
  '1.4.0',
  '1.4.0',
  '1.3.2',
  '1.5.0-rc.1',
];
const gibibyte = 1_073_741_824;

/** Generates the device with this index, counted from 0. */
export function generateDevice(index: number): GeneratedDevice {
  const system = pick(systems, index);
  const serial = `CR${String(240_000 + index * 37).padStart(7, '0')}`;
  const { memoryGiB, ...named } = system;
  return {
    systemInfo: {
      ...named,
      hostname: `${pick(models, index).toLowerCase().replaceAll(' ', '-')}-${index + 1}`,
      memory: { total: memoryGiB * gibibyte },
      networks: networksOf(index),
      disks: disksOf(index),
    },
    metadata: {
      site: pick(sites, index),
      serial,
      model: pick(models, index),
      ring: index % 10 === 0 ? 'canary' : 'stable',
      rack: 1 + (index % 9),
      installedOn: `2026-${String(1 + (index % 9)).padStart(2, '0')}-${String(1 + ((index * 7) % 28)).padStart(2, '0')}`,
    },
    properties: {
      'app.version': pick(versions, index * 7),
      'app.reportEverySecs': 30 + (index % 4) * 30,
      'network.uplink': { kind: index % 3 === 0 ? 'lte' : 'ethernet', signalDbm: -60 - (index % 40) },
    },
  };
}

function networksOf(index: number): SystemInfo['networks'] {
  const pair = (value: number): string => (value % 256).toString(16).padStart(2, '0');
  const macAddress = `02:42:c0:${pair(index >> 16)}:${pair(index >> 8)}:${pair(index)}`;
  const address = `10.${20 + (index >> 16)}.${(index >> 8) % 256}.${index % 256}`;
  return [
    { name: 'lo', macAddress: '00:00:00:00:00:00', ipAddresses: ['127.0.0.1', '::1'] },
    { name: 'eth0', macAddress, ipAddresses: [address] },
  ];
}

function disksOf(index: number): SystemInfo['disks'] {
  const totalSpace = (8 + 8 * (index % 4)) * gibibyte;
  const disk = { name: '/dev/mmcblk0p2', filesystem: 'ext4', mountPoint: '/', totalSpace };
  return [{ ...disk, availableSpace: Math.round(totalSpace * (0.25 + (index % 10) * 0.06)) }];
}

const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;
