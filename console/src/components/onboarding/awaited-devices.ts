import type { ListedDevice } from '../devices/device-view.ts';

/** How the devices of a project were when a token was made, by id. */
export type Baseline = ReadonlyMap<string, ListedDevice>;

/** Remembers how the devices are now. */
export function baselineOf(devices: readonly ListedDevice[]): Baseline {
  return new Map(devices.map((device) => [device.deviceId, device]));
}

/**
 * The devices that have come since: new ones, and, once the token has been used, known ones that came back or show a
 * certificate that they did not have. The first that came stands first.
 */
export function awaitedDevices(
  baseline: Baseline,
  devices: readonly ListedDevice[],
  isTokenUsed: boolean,
): ListedDevice[] {
  return devices
    .filter((device) => {
      const before = baseline.get(device.deviceId);
      if (before === undefined) return true;
      return isTokenUsed && hasCome(before, device);
    })
    .toSorted((one, other) => Date.parse(one.firstSeen) - Date.parse(other.firstSeen));
}

function hasCome(before: ListedDevice, now: ListedDevice): boolean {
  return (
    (now.isConnected && !before.isConnected) || now.pendingCertificatesCount > before.pendingCertificatesCount
  );
}
