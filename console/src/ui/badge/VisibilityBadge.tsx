import { Globe, Lock } from 'lucide-react';
import { Badge } from './Badge.tsx';

/** Who may download from a repository. */
export function VisibilityBadge({ visibility }: { visibility: 'Private' | 'Public' }) {
  const isPublic = visibility === 'Public';
  const Icon = isPublic ? Globe : Lock;
  return (
    <Badge tone={isPublic ? 'denim' : 'mute'} icon={<Icon size={13} aria-hidden />}>
      {visibility}
    </Badge>
  );
}
