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
  return devices
    .filter((device) => {
      const before = baseline.get(device.deviceId);
      if (before === undefined) return true;
      return isTokenUsed && hasAppeared(before, device);
    })
    .toSorted((one, other) => Date.parse(one.firstSeen) - Date.parse(other.firstSeen));
}

function hasAppeared(before: ListedDevice, now: ListedDevice): boolean {
  return (
    (now.isConnected && !before.isConnected) || now.pendingCertificatesCount > before.pendingCertificatesCount
  );
}
