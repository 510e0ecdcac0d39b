import { X } from 'lucide-react';
import type { SearchChange } from '../../parts/use-url-search.ts';
import { FilterChips } from '../../ui/form/FilterChips.tsx';
import { logCopy } from './copy.ts';
import { type LogRange, logRanges, type LogSearch } from './log-search.ts';

/** The filters of a log beside its search field: the time range, and the active filters by type and by actor. */
export function LogFilters({
  search: { type, actor, range, action },
  actorName,
  onChange,
}: {
  search: LogSearch;
  actorName: string;
  onChange: (change: SearchChange<LogSearch>) => void;
}) {
  return (
    <>
      <RangeChips range={range} onChange={(next) => onChange({ range: next })} />
      {action !== undefined && (
        <ActiveFilter
          name={logCopy.actionIs}
          value={action}
          onRemove={() => onChange({ action: undefined })}
        />
      )}
      {type !== undefined && (
        <ActiveFilter name={logCopy.typeIs} value={type} onRemove={() => onChange({ type: undefined })} />
      )}
      {actor !== undefined && (
        <ActiveFilter
          name={logCopy.actorIs}
          value={actorName}
          onRemove={() => onChange({ actor: undefined })}
        />
      )}
    </>
  );
}

/** The time ranges of a log, of which one is active; none shows all. */
export function RangeChips({
  range,
  all = logCopy.ranges.all,
  onChange,
}: {
  range: LogRange | undefined;
  /** What the chip without a range is called. */
  all?: string;
  onChange: (range: LogRange | undefined) => void;
}) {
  return (
    <FilterChips
      label={logCopy.range}
      value={range ?? 'all'}
      onValueChange={(next) => onChange(next === 'all' ? undefined : next)}
      chips={[
        { value: 'all' as const, label: all },
        ...logRanges.map((value) => ({ value, label: logCopy.ranges[value] })),
      ]}
    />
  );
}

/** An active filter with a button that removes it. */
export function ActiveFilter({
  name,
  value,
  onRemove,
}: {
  name: string;
  value: string;
  onRemove: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={logCopy.remove(`${name} ${value}`)}
      onClick={onRemove}
      className="inline-flex h-8 max-w-80 items-center gap-1.5 rounded-full border border-denim-wash bg-denim-wash px-3 text-label text-ink max-sm:h-9 pointer-coarse:h-11"
    >
      <span className="font-normal text-ink2">{name}</span>
      <span className="truncate">{value}</span>
      <X size={14} aria-hidden className="shrink-0 text-ink3" />
    </button>
  );
}
