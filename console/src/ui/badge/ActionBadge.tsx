import { Check, Clock, OctagonX, X, Zap } from 'lucide-react';
import { Badge, type BadgeTone } from './Badge.tsx';

const toneAndIcon = {
  Pending: ['mute', Clock],
  Succeeded: ['ok', Check],
  Failed: ['danger', X],
  Rejected: ['danger-outline', OctagonX],
  Panicked: ['danger-solid', Zap],
} as const satisfies Record<string, readonly [BadgeTone, unknown]>;

/** The status of an audited action. */
export function ActionBadge({ status }: { status: keyof typeof toneAndIcon }) {
  const [tone, Icon] = toneAndIcon[status];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {status}
    </Badge>
  );
}
