import { Clock } from 'lucide-react';
import { en } from '../../copy/en.ts';
import { Badge } from './Badge.tsx';

/** How many certificates wait: plain at 0, highlighted above. `word` follows the number where there is no column head. */
export function PendingCountBadge({ count, word }: { count: number; word?: string | undefined }) {
  if (count === 0) return <span className="tabular text-ink3">0</span>;
  return (
    <Badge tone="warn" icon={<Clock size={13} aria-hidden />}>
      {/* The words beside it say the number too. */}
      <span aria-hidden={word === undefined || undefined} className="tabular">
        {count}
      </span>
      {word === undefined ? (
        <span className="sr-only">{en.device.pendingCertificates(count)}</span>
      ) : (
        ` ${word}`
      )}
    </Badge>
  );
}
