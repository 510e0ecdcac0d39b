import { labelNameProblem } from '@corral/contract';
import { withValue } from '../../../parts/device-filters.ts';
import type { ListedDevice } from '../../../parts/listed-device.ts';

/** A label of a device as a list shows it. */
export type Label = NonNullable<ListedDevice['labels']>[number];

/** The filter of the devices with a label; undefined where the grammar cannot write its name. */
export function filterOfLabel({ name, value }: Label): string | undefined {
  return labelNameProblem(name) === undefined ? withValue(`label.${name}`, value).q : undefined;
}

const longestName = 60;
const longestValue = 100;
const mostShown = 12;

/** The labels in the metadata of a device: its short plain values by name, as the hub lists them. */
export function labelsIn(metadata: Readonly<Record<string, unknown>>): Label[] {
  return Object.entries(metadata)
    .flatMap(([name, value]) => {
      const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      const text = isPlain ? String(value) : '';
      const isShort = name.length <= longestName && text.length <= longestValue;
      return isShort && name !== '' && text !== '' ? [{ name, value: text }] : [];
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, mostShown);
}
