import { Check, Clock, OctagonX, X, Zap } from 'lucide-react';
import { Badge, type BadgeTone } from './Badge.tsx';

const looks = {
  Pending: ['mute', Clock],
  Succeeded: ['ok', Check],
  Failed: ['danger', X],
  Rejected: ['danger-outline', OctagonX],
  Panicked: ['danger-solid', Zap],
} as const satisfies Record<string, readonly [BadgeTone, unknown]>;

/** How an action ended. */
export function ActionBadge({ status }: { status: keyof typeof looks }) {
  const [tone, Icon] = looks[status];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {status}
    </Badge>
  );
}
