import type { SearchChange } from '../../parts/use-url-search.ts';
import { OptionalChips } from '../../ui/form/OptionalChips.tsx';
import { ActiveFilter } from '../../ui/table/ActiveFilter.tsx';
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
    <OptionalChips
      label={logCopy.range}
      value={range}
      onValueChange={onChange}
      all={all}
      chips={logRanges.map((value) => ({ value, label: logCopy.ranges[value] }))}
    />
  );
}
