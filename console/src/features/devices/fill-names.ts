import { deviceLabel, type ListedDevice } from '../../parts/listed-device.ts';

/** Expands a pattern for each device: `{hostname}` is its hostname, or its current label without one, and `{n}` its number, from 1. */
export function fillNames(pattern: string, devices: readonly ListedDevice[]): string[] {
  return devices.map((device, index) =>
    pattern.replaceAll(/\{(hostname|n)\}/gu, (_, place: string) =>
      place === 'n' ? String(index + 1) : (device.hostname ?? deviceLabel(device)),
    ),
  );
}
