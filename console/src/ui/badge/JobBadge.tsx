import { Check, CircleSlash, Clock, Hourglass, X } from 'lucide-react';
import { Badge, type BadgeTone } from './Badge.tsx';

const toneAndIcon = {
  Pending: ['mute', Clock],
  Completed: ['ok', Check],
  Failed: ['danger', X],
  Expired: ['warn', Hourglass],
  Cancelled: ['mute', CircleSlash],
} as const satisfies Record<string, readonly [BadgeTone, unknown]>;

/** The status of a job. */
export function JobBadge({ status }: { status: keyof typeof toneAndIcon }) {
  const [tone, Icon] = toneAndIcon[status];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />} isStruck={status === 'Cancelled'}>
      {status}
    </Badge>
  );
}
