import { Ban, Check, Clock, KeyRound, TriangleAlert, Undo2 } from 'lucide-react';
import { Badge } from '../../../ui/badge/Badge.tsx';
import { rotationCopy } from './copy.ts';
import type { Rotation } from './rotations.ts';

const looks = {
  Open: ['denim', Clock],
  Announced: ['denim', KeyRound],
  Arrived: ['ok', Check],
  RolledBack: ['danger', Undo2],
  Completed: ['ok', Check],
  Expired: ['warn', TriangleAlert],
  Cancelled: ['mute', Ban],
} as const;

/** Where a rotation stands. */
export function RotationBadge({ state }: { state: Rotation['state'] }) {
  const [tone, Icon] = looks[state];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {rotationCopy.states[state]}
    </Badge>
  );
}
