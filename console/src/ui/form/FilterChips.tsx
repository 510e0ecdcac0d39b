import type { ReactNode } from 'react';

/** One option of a filter, with the number of rows that it would show, as a text where they were counted only up to a limit. */
type FilterChip<Value extends string> = {
  value: Value;
  label: string;
  count?: number | string | undefined;
  icon?: ReactNode;
};

/** A row of filters of which exactly one is active. On phones the icon and the count replace the label. */
export function FilterChips<Value extends string>({
  label,
  chips,
  value,
  onValueChange,
}: {
  label: string;
  chips: readonly FilterChip<Value>[];
  value: Value;
  onValueChange: (value: Value) => void;
}) {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-2 print:hidden">
      {chips.map((chip) => (
        <button
          key={chip.value}
          type="button"
          aria-pressed={chip.value === value}
          onClick={() => onValueChange(chip.value)}
          className="inline-flex h-8 items-center gap-1.5 rounded-full border border-line bg-surface px-3 text-label text-ink2 transition-colors hover:border-line-strong aria-pressed:border-denim-wash aria-pressed:bg-denim-wash aria-pressed:text-ink max-sm:h-9 pointer-coarse:h-11"
        >
          {chip.icon}
          <span className={chip.icon === undefined ? 'own-direction' : 'own-direction max-sm:sr-only'}>
            {chip.label}
          </span>
          {/* Invisible in a flex box, but it separates the words of the accessible name. */}{' '}
          {chip.count !== undefined && <span className="tabular">{chip.count.toLocaleString('en')}</span>}
        </button>
      ))}
    </div>
  );
}
