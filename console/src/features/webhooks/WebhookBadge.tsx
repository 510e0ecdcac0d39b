import { Ban, Check, CircleDashed, TriangleAlert, X } from 'lucide-react';
import { Badge, type BadgeTone } from '../../ui/badge/Badge.tsx';
import { webhooksCopy } from './copy.ts';
import type { Webhook } from './webhooks.ts';

const looks = {
  works: ['ok', Check],
  fresh: ['mute', CircleDashed],
  failing: ['warn', TriangleAlert],
  ByOwner: ['mute', Ban],
  ByReceiver: ['danger', X],
  Failing: ['danger', X],
} as const satisfies Record<string, readonly [BadgeTone, unknown]>;

function stateOf({ disabled, failingSince, lastAcceptedAt }: Webhook): keyof typeof looks {
  if (disabled !== undefined) return disabled;
  if (failingSince !== undefined) return 'failing';
  return lastAcceptedAt === undefined ? 'fresh' : 'works';
}

/** The word for how a webhook stands. */
export const stateText = (webhook: Webhook): string => webhooksCopy.states[stateOf(webhook)];

/** How a webhook stands. */
export function WebhookBadge({ webhook }: { webhook: Webhook }) {
  const [tone, Icon] = looks[stateOf(webhook)];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {stateText(webhook)}
    </Badge>
  );
}
