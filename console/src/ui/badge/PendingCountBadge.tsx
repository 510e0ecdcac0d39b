import { Clock } from 'lucide-react';
import { uiCopy } from '../copy.ts';
import { Zero } from '../text/Zero.tsx';
import { Badge } from './Badge.tsx';

/** The number of pending certificates: a dash at 0, else highlighted. `word` follows the number where no column header names it. */
export function PendingCountBadge({ count, word }: { count: number; word?: string | undefined }) {
  if (count === 0) return <Zero />;
  return (
    <Badge tone="warn" icon={<Clock size={13} aria-hidden />}>
      {/* Without `word`, the sr-only text below contains the number. */}
      <span aria-hidden={word === undefined || undefined} className="tabular">
        {count.toLocaleString('en')}
      </span>
      {word === undefined ? (
        <span className="sr-only">{uiCopy.device.pendingCertificates(count)}</span>
      ) : (
        ` ${word}`
      )}
    </Badge>
  );
}
