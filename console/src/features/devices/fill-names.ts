import { deviceLabel, type ListedDevice } from '../../parts/listed-device.ts';

/** The names that a pattern gives to devices: `{hostname}` is the hostname of each, or else what it is called now, and `{n}` its number, from 1. */
export function fillNames(pattern: string, devices: readonly ListedDevice[]): string[] {
  return devices.map((device, index) =>
    pattern.replaceAll(/\{(hostname|n)\}/gu, (_, place: string) =>
      place === 'n' ? String(index + 1) : (device.hostname ?? deviceLabel(device)),
    ),
  );
}
