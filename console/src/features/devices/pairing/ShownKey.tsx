import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { isRemotePlainHttp } from '../../../parts/agent-command.ts';
import { useLiveState } from '../../../parts/use-live-state.ts';
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx';
import { useNow } from '../../../ui/time/use-now.ts';
import { pairingCopy as words } from './copy.ts';
import { KeyStatus } from './KeyStatus.tsx';
import { keyState, type NewPairingKey, pairingKeysQuery } from './pairing-keys.ts';

const pollMs = 1_500;

/** A new key with what to do with it, and what becomes of it. Polls every 1.5 s without the live view. */
export function ShownKey({
  projectId,
  made,
  onAnother,
}: {
  projectId: Id<'project'>;
  made: NewPairingKey;
  onAnother: () => void;
}) {
  const refetchInterval = useLiveState() === 'live' ? 30_000 : pollMs;
  const { data } = useQuery({ ...pairingKeysQuery(projectId), refetchInterval });
  const nowMs = useNow('second');
  const listed = data?.pairingKeys.find(({ pairingKeyId }) => pairingKeyId === made.pairingKeyId);
  const state = keyState(listed ?? { ...made, tries: 0 }, nowMs);
  return (
    <div className="flex flex-col gap-5">
      {state === 'open' && <HowToUse made={made} />}
      <KeyStatus
        {...{ projectId, state, onAnother }}
        deviceId={listed?.deviceId}
        leftMs={Date.parse(made.expiresAt) - nowMs}
      />
    </div>
  );
}

function HowToUse({ made: { value, qrSvg, pairingKey } }: { made: NewPairingKey }) {
  const { origin } = window.location;
  return (
    <div className="flex items-start gap-5 max-sm:flex-col">
      {/* Scanners want dark on light, in both themes. */}
      <img
        alt={words.picture}
        src={`data:image/svg+xml;utf8,${encodeURIComponent(qrSvg)}`}
        className="size-36 shrink-0 rounded-card border border-line bg-white p-1.5 max-sm:self-center"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-4 max-sm:w-full">
        <CodeBlock code={value} what={words.key} />
        <div className="flex flex-col gap-1.5">
          <p className="text-body text-ink2">{words.toAgent}</p>
          <CodeBlock
            code={`curl -d '${value}' http://DEVICE:6947/pair`}
            what={words.toAgentCommand}
            prompt="$"
          />
          <p className="text-small text-ink3">
            {words.toAgentHint}
            {isRemotePlainHttp(origin) && ` ${words.plain}`}
          </p>
        </div>
        <div className="flex flex-col gap-1.5">
          <p className="text-body text-ink2">{words.onDevice}</p>
          <CodeBlock
            code={`curl -fsS ${origin}/pair.sh | sudo sh -s ${pairingKey}`}
            what={words.onDeviceCommand}
            prompt="$"
          />
        </div>
      </div>
    </div>
  );
}
