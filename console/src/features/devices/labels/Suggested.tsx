import { labelsCopy } from './copy.ts';

const mostShown = 8;

/** Texts that a field may be filled with: those that begin as it does, as small buttons below it. */
export function Suggested({
  label,
  typed,
  suggestions,
  onChoose,
}: {
  /** The name of the field. */
  label: string;
  typed: string;
  suggestions: readonly string[];
  onChoose: (text: string) => void;
}) {
  const begun = typed.trim().toLowerCase();
  const fitting = suggestions.filter((text) => text.toLowerCase().startsWith(begun) && text !== typed.trim());
  if (fitting.length === 0) return null;
  return (
    <div role="group" aria-label={labelsCopy.known(label)} className="mt-2 flex flex-wrap gap-1.5">
      {fitting.slice(0, mostShown).map((text) => (
        <button
          key={text}
          type="button"
          onClick={() => onChoose(text)}
          className="h-6 max-w-full truncate rounded-control border border-line bg-surface px-2 text-small text-ink2 transition-colors hover:border-line-strong hover:text-ink pointer-coarse:h-11"
        >
          {text}
        </button>
      ))}
    </div>
  );
}
