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

/** A severity: a pill only for what is wrong. */
export function SeverityBadge({
  severity,
  isHanging = true,
}: {
  severity: keyof typeof toneAndIcon;
  /** Whether a pill begins before the words of other rows, where there is room. */
  isHanging?: boolean;
}) {
  const [tone, Icon] = toneAndIcon[severity];
  const pill = isHanging ? 'hanging' : 'pill';
  return (
    <Badge
      tone={tone}
      icon={<Icon size={13} aria-hidden />}
      look={tone === 'denim' || tone === 'mute' ? 'plain' : pill}
    >
      {severity}
    </Badge>
  );
}
