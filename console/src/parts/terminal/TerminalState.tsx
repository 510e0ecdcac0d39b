import { CircleDot, Clock, Square } from 'lucide-react';
import { Badge, type BadgeTone } from '../../ui/badge/Badge.tsx';
import { terminalCopy } from './copy.ts';
import type { Terminal } from './terminals.ts';

const looks = {
  Waiting: ['warn', Clock],
  Open: ['ok', CircleDot],
  Ended: ['mute', Square],
} as const satisfies Record<Terminal['state'], readonly [BadgeTone, unknown]>;

/** How a terminal stands. */
export function TerminalState({ terminal: { state } }: { terminal: Pick<Terminal, 'state'> }) {
  const [tone, Icon] = looks[state];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {terminalCopy.columnStates[state]}
    </Badge>
  );
}
