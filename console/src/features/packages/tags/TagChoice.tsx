import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { rowsPerPage } from '../../../parts/list-limits.ts';
import { Select } from '../../../ui/form/Select.tsx';
import { packagesCopy } from '../copy.ts';
import { packageVersionsQuery } from '../queries.ts';

const words = packagesCopy.history;
// No tag has this name.
const allTags = '*';

/** Chooses one tag of a package, or all. */
export function TagChoice({
  packageId,
  tag,
  onChange,
}: {
  packageId: Id<'package'>;
  tag: string | undefined;
  onChange: (tag: string | undefined) => void;
}) {
  const { data } = useQuery(packageVersionsQuery(packageId, rowsPerPage));
  const present = (data?.versions ?? []).flatMap(({ tags }) => tags.map((one) => one.tag));
  const tags = [...new Set([...(tag === undefined ? [] : [tag]), ...present])].sort();
  return (
    <Select
      label={words.tag}
      className="w-48"
      value={tag ?? allTags}
      options={[{ value: allTags, label: words.all }, ...tags.map((value) => ({ value, label: value }))]}
      onValueChange={(next) => onChange(next === null || next === allTags ? undefined : next)}
    />
  );
}
