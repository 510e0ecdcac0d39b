import type { Output } from '@corral/contract';
import { type DeviceSearch, withOtherValue, withoutValue, withValue } from '../../parts/device-filters.ts';
import type { FieldGroup } from '../../ui/picture/FieldHeads.tsx';
import { overviewCopy } from './copy.ts';

type Group = Output<'projects_GetOverview'>['groups'][number];

/** The groups of the field of dots with their names and the lists of their devices. */
export function fieldGroups(
  groups: readonly Group[],
  groupBy: string,
  hrefOf: (search: DeviceSearch) => string,
): FieldGroup[] {
  const field = `label.${groupBy}`;
  const values = groups.flatMap(({ value }) => value ?? []);
  return groups.map(({ value, isOthers, devices, connected, disconnected, waiting }) => {
    const isAll = groupBy === '';
    const name =
      value ??
      (isAll
        ? overviewCopy.allDevices
        : isOthers === true
          ? overviewCopy.others
          : overviewCopy.without(groupBy));
    const search = isAll
      ? {}
      : value !== undefined
        ? withValue(field, value)
        : isOthers === true
          ? withOtherValue(field, values)
          : withoutValue(field);
    const summary = overviewCopy.group(name, devices, connected, waiting);
    return { name, devices, connected, disconnected, waiting, summary, href: hrefOf(search) };
  });
}
