import { deviceFields, type Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { FilterField } from '../FilterField.tsx';
import type { SearchFieldProps } from '../../ui/form/SearchField.tsx';
import { deviceFieldHints } from './copy.ts';
import { deviceLabelsQuery } from './queries.ts';
import { useFilterNames } from './use-filter-names.ts';

/** A filter of the devices of a project. Names that only the hub knows are read once the field has the focus; without the hub the fixed ones are completed. */
export function DeviceFilterField({
  projectId,
  ...field
}: SearchFieldProps & { projectId: Id<'project'>; onListChange: (isOpen: boolean) => void }) {
  const [isUsed, setIsUsed] = useState(false);
  const properties = useFilterNames(projectId, isUsed ? field.value : undefined);
  const { data } = useQuery({ ...deviceLabelsQuery(projectId), enabled: isUsed });
  const fields = useMemo(
    () => ({
      ...deviceFields,
      properties,
      values: new Map(data?.labels.map(({ name, values }) => [`label.${name}`, values])),
    }),
    [properties, data],
  );
  return <FilterField {...field} {...{ fields }} hints={deviceFieldHints} onFocus={() => setIsUsed(true)} />;
}
