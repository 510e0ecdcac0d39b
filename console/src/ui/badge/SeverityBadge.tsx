import { Bug, CircleX, Ellipsis, Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import { Badge, type BadgeTone } from './Badge.tsx';

const toneAndIcon = {
  Trace: ['mute', Ellipsis],
  Debug: ['mute', Bug],
  Info: ['denim', Info],
  Warning: ['warn', TriangleAlert],
  Error: ['danger', CircleX],
  Critical: ['danger-solid', OctagonAlert],
} as const satisfies Record<string, readonly [BadgeTone, unknown]>;

/** The severity of a device event: a pill only for what is wrong. */
export function SeverityBadge({ severity }: { severity: keyof typeof toneAndIcon }) {
  const [tone, Icon] = toneAndIcon[severity];
  return (
    <Badge
      tone={tone}
      icon={<Icon size={13} aria-hidden />}
      look={tone === 'denim' || tone === 'mute' ? 'plain' : 'hanging'}
    >
      {severity}
    </Badge>
  );
}
