import { Ban, Check, CircleDashed, TriangleAlert } from 'lucide-react';
import { Badge, type BadgeTone } from '../../ui/badge/Badge.tsx';
import { otlpCopy } from './copy.ts';
import type { OtlpConfig, OtlpStream } from './otlp.ts';

const looks = {
  works: ['ok', Check],
  fresh: ['mute', CircleDashed],
  failing: ['warn', TriangleAlert],
  stopped: ['mute', Ban],
} as const satisfies Record<string, readonly [BadgeTone, unknown]>;

function stateOf(config: OtlpConfig, streams: readonly OtlpStream[]): keyof typeof looks {
  if (!config.enabled) return 'stopped';
  if (streams.some(({ nextAttemptAt }) => nextAttemptAt !== undefined)) return 'failing';
  return streams.some(({ sent }) => sent > 0) ? 'works' : 'fresh';
}

/** How an export stands. */
export function OtlpBadge({ config, streams }: { config: OtlpConfig; streams: readonly OtlpStream[] }) {
  const state = stateOf(config, streams);
  const [tone, Icon] = looks[state];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {otlpCopy.states[state]}
    </Badge>
  );
}
