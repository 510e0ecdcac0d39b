import { Lock, Tag } from 'lucide-react';
import { uiCopy } from '../copy.ts';
import { Badge } from './Badge.tsx';

/** A tag of a package version; a locked one cannot move. */
export function TagBadge({ tag, isLocked }: { tag: string; isLocked: boolean }) {
  const Icon = isLocked ? Lock : Tag;
  return (
    <Badge tone={isLocked ? 'rivet' : 'outline'} icon={<Icon size={13} aria-hidden />}>
      {tag}
      {isLocked && ' '}
      {isLocked && <span className="sr-only">({uiCopy.tag.locked})</span>}
    </Badge>
  );
}
