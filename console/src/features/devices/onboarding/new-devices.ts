import { firstDevices } from '../../../data/queries-projects.ts';
import type { ListedDevice } from '../../../parts/listed-device.ts';

/** The devices of a project before a token was created, by id. */
export type Baseline = ReadonlyMap<string, ListedDevice>;

/** The baseline of the current devices. */
export function baselineOf(devices: readonly ListedDevice[]): Baseline {
  return new Map(devices.map((device) => [device.deviceId, device]));
}

/**
 * The devices that appeared since the baseline: new ones, and, once the token was used, known ones that have connected or have a new
 * pending certificate. Ordered by first seen.
 */
export function newDevicesSince(
  baseline: Baseline,
  devices: readonly ListedDevice[],
  isTokenUsed: boolean,
): ListedDevice[] {
  const knownSinceMs = oldestOf(baseline);
  return devices
    .filter((device) => {
      const before = baseline.get(device.deviceId);
      if (before === undefined) return Date.parse(device.firstSeen) >= knownSinceMs;
      return isTokenUsed && hasAppeared(before, device);
    })
    .toSorted((one, other) => Date.parse(one.firstSeen) - Date.parse(other.firstSeen));
}

/** Of a long list only the newest devices are known, so that an older one may come into it when another is deleted. */
function oldestOf(baseline: Baseline): number {
  if (baseline.size < firstDevices) return -Infinity;
  return Math.min(...[...baseline.values()].map(({ firstSeen }) => Date.parse(firstSeen)));
}

function hasAppeared(before: ListedDevice, now: ListedDevice): boolean {
  return (
    (now.isConnected && !before.isConnected) || now.pendingCertificatesCount > before.pendingCertificatesCount
  );
}
