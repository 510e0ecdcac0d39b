import { Lock } from 'lucide-react';
import { uiCopy } from '../../../../ui/copy.ts';

/** A tag as a plate that hangs on the rail; a locked one has a lock. */
export function PlateShape({ tag, isLocked = false }: { tag: string; isLocked?: boolean | undefined }) {
  return (
    <span
      className={`id-tag inline-flex h-6 min-w-0 items-center gap-1.5 ps-4.5 pe-2 text-label whitespace-nowrap ${isLocked ? 'bg-rivet-wash text-rivet' : 'bg-denim-wash text-denim'}`}
    >
      <bdi className="min-w-0 truncate" title={tag}>
        {tag}
      </bdi>
      {isLocked && (
        <>
          <Lock size={12} aria-hidden className="shrink-0" />{' '}
          <span className="sr-only">({uiCopy.tag.locked})</span>
        </>
      )}
    </span>
  );
}
