import { Bug, CircleX, Ellipsis, Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import { Badge, type BadgeTone } from './Badge.tsx';

const looks = {
  Trace: ['mute', Ellipsis],
  Debug: ['mute', Bug],
  Info: ['denim', Info],
  Warning: ['warn', TriangleAlert],
  Error: ['danger', CircleX],
  Critical: ['danger-solid', OctagonAlert],
} as const satisfies Record<string, readonly [BadgeTone, unknown]>;

/** How grave a device event is. */
export function SeverityBadge({ severity }: { severity: keyof typeof looks }) {
  const [tone, Icon] = looks[severity];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {severity}
    </Badge>
  );
}
