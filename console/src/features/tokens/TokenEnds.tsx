import { Clock, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge/Badge.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { useNow } from '../../ui/time/use-now.ts';
import { tokensCopy as words } from './copy.ts';
import { type Token, usesLeft } from './deployment-token.ts';

/** When a token stops enrolling devices, or why it has. */
export function TokenEnds(token: Token) {
  const nowMs = Number(useNow('minute'));
  const { expiresAt } = token;
  const left = usesLeft(token);
  if (token.deviceId !== undefined) return <span className="text-small text-ink2">{words.bound}</span>;
  if (left === 0) return <Ended icon={<Users size={13} aria-hidden />} text={words.usedUp} />;
  if (expiresAt !== undefined && Date.parse(expiresAt) <= nowMs)
    return <Ended icon={<Clock size={13} aria-hidden />} text={words.expired} />;
  if (left === undefined && expiresAt === undefined) return null;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 text-small text-ink2">
      {left !== undefined && <span>{words.left(left)}</span>}
      {expiresAt !== undefined && (
        <span>
          {words.ends} <RelativeTime at={expiresAt} />
        </span>
      )}
    </span>
  );
}

function Ended({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <Badge tone="danger" icon={icon}>
      {text}
    </Badge>
  );
}
