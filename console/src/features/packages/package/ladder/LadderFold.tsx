import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { packagesCopy } from '../../copy.ts';
import type { ListedVersion } from '../version-columns.tsx';
import { rungClass } from './LadderRung.tsx';

const words = packagesCopy.ladder;

/** The versions between two rungs as one; it unfolds to the newest of them that are known. */
export function LadderFold({
  count,
  versions,
  isLast,
  children,
}: {
  count: number;
  versions: readonly ListedVersion[];
  isLast: boolean;
  /** Draws one of the versions. */
  children: (version: ListedVersion) => ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const rest = count - (isOpen ? versions.length : 0);
  const label = isOpen ? words.moreInTable(rest) : words.folded(count);
  return (
    <>
      {isOpen && versions.map(children)}
      {rest > 0 && (
        <div className={rungClass}>
          <span className="max-sm:hidden" />
          <span
            aria-hidden
            className={`mx-auto h-9 border-s-2 border-dotted ${isLast ? 'mask-b-from-0%' : ''} border-line-strong`}
          />
          {isOpen || versions.length === 0 ? (
            <span className="self-center text-small text-ink3">{label}</span>
          ) : (
            <button
              type="button"
              aria-expanded={false}
              onClick={() => setIsOpen(true)}
              className="touch-area inline-flex min-h-6 items-center gap-1.5 self-center justify-self-start rounded-control text-label text-ink2 hover:text-ink"
            >
              {label}
              <ChevronDown size={14} aria-hidden />
            </button>
          )}
        </div>
      )}
    </>
  );
}
