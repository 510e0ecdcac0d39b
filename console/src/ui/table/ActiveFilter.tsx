import { X } from 'lucide-react';
import { tableCopy } from './copy.ts';

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
      aria-label={tableCopy.removeFilter(`${name} ${value}`)}
      onClick={onRemove}
      className="inline-flex h-8 max-w-80 items-center gap-1.5 rounded-full border border-denim-wash bg-denim-wash px-3 text-label text-ink max-sm:h-9 pointer-coarse:h-11"
    >
      <span className="font-normal text-ink2">{name}</span>
      <span className="truncate">{value}</span>
      <X size={14} aria-hidden className="shrink-0 text-ink3" />
    </button>
  );
}
