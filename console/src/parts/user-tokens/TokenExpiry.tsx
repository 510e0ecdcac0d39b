import type { Output } from '@corral/contract';
import { Clock, Hourglass } from 'lucide-react';
import { Badge } from '../../ui/badge/Badge.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { useNow } from '../../ui/time/use-now.ts';
import { userTokensCopy as words } from './copy.ts';

const soonMs = 7 * 86_400_000;

/** When a token expires, with a mark from a week before on. */
export function TokenExpiry({ expiresAt }: Output<'users_QueryUserTokens'>['tokens'][number]) {
  const nowMs = Number(useNow('minute'));
  if (expiresAt === undefined) return <span className="text-ink3">{words.neverExpires}</span>;
  const leftMs = Date.parse(expiresAt) - nowMs;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <RelativeTime at={expiresAt} />
      {leftMs <= 0 && (
        <Badge tone="danger" icon={<Clock size={13} aria-hidden />}>
          {words.expired}
        </Badge>
      )}
      {leftMs > 0 && leftMs <= soonMs && (
        <Badge tone="warn" icon={<Hourglass size={13} aria-hidden />}>
          {words.expiresSoon}
        </Badge>
      )}
    </span>
  );
}
