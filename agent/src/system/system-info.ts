import { arch, hostname, networkInterfaces, release, totalmem, type } from 'node:os';
import type { Json } from '@corral/contract';
import { fsSize, osInfo, type Systeminformation } from 'systeminformation';

/** The property that holds what `systemInfo` describes. */
export const systemInfoProperty = 'dev.nexigon.system.info';

/** The system information that the hub shows; sizes in bytes. */
export interface SystemInfo {
  readonly name?: string;
  readonly version?: string;
  readonly kernel?: string;
  readonly hostname?: string;
  readonly arch?: string;
  readonly memory: { readonly total: number };
  readonly networks: readonly {
    readonly name: string;
    readonly macAddress: string;
    readonly ipAddresses: readonly string[];
  }[];
  readonly disks: readonly {
    readonly name: string;
    readonly filesystem: string;
    readonly mountPoint: string;
    readonly totalSpace: number;
    readonly availableSpace: number;
  }[];
  readonly agent?: AgentInfo;
}

/** What the agent tells of itself: the hub opens no channels for commands and terminals where they are not enabled. */
export interface AgentInfo {
  readonly version: string;
  readonly config: {
    readonly commands: { readonly enabled: boolean };
    readonly operations: { readonly enabled: boolean };
    readonly terminal: { readonly enabled: boolean; readonly users: readonly string[] };
  };
}

const partTimeoutMs = 10_000;

/** Collects the system information; omits what fails or takes too long. Never rejected. */
export async function systemInfo(): Promise<SystemInfo> {
  const [system, disks] = await Promise.all([inTime(osInfo), inTime(fsSize)]);
  return {
    ...named({
      name: system?.distro || type(),
      version: system?.release,
      kernel: system?.kernel || release(),
    }),
    ...named({ hostname: hostname(), arch: architectures[arch()] ?? arch() }),
    memory: { total: totalmem() },
    networks: networks(),
    disks: (disks ?? []).filter(({ size }) => size > 0).map(described),
  };
}

/** The system information as a JSON value for a property. */
export const asJson = (info: SystemInfo): Json => JSON.parse(JSON.stringify(info)) as Json;

/** Names as operating systems write them. */
const architectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64', ia32: 'i686' };

/** Listing disks can block for ever on a dead network file system. */
async function inTime<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), partTimeoutMs);
  });
  try {
    return await Promise.race([read().catch(() => undefined), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function named(fields: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => (field[1] ?? '') !== ''),
  );
}

function networks(): SystemInfo['networks'] {
  return Object.entries(networkInterfaces()).map(([name, addresses = []]) => ({
    name,
    macAddress: addresses[0]?.mac ?? '',
    ipAddresses: addresses.map(({ address }) => address),
  }));
}

function described(disk: Systeminformation.FsSizeData): SystemInfo['disks'][number] {
  return {
    name: disk.fs,
    filesystem: disk.type,
    mountPoint: disk.mount,
    totalSpace: disk.size,
    availableSpace: disk.available,
  };
}
