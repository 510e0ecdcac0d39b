import type { ComponentProps } from 'react';
import { FilterChips } from './FilterChips.tsx';

type Props<Value extends string> = ComponentProps<typeof FilterChips<Value>>;

/** A row of filters of which at most one is active; the first, `all`, is where none is. */
export function OptionalChips<Value extends string>({
  all,
  allCount,
  chips,
  value,
  onValueChange,
  ...props
}: Pick<Props<Value>, 'label' | 'chips'> & {
  all: string;
  allCount?: Props<Value>['chips'][number]['count'];
  value: Value | undefined;
  onValueChange: (value: Value | undefined) => void;
}) {
  return (
    <FilterChips<Value | 'all'>
      {...props}
      value={value ?? 'all'}
      onValueChange={(next) => onValueChange(next === 'all' ? undefined : next)}
      chips={[{ value: 'all', label: all, count: allCount }, ...chips]}
    />
  );
}
