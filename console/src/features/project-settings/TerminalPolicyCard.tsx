import { defaultTerminalPolicy, type Id, type TerminalPolicy } from '@corral/contract';
import { SquareTerminal } from 'lucide-react';
import { boolean, object, picklist } from 'valibot';
import { useRun } from '../../data/action-mutation.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import { projectSettingsCopy } from './copy.ts';
import { setTerminalPolicy } from './mutations.ts';
import { PolicyCard } from './PolicyCard.tsx';

const words = projectSettingsCopy.terminal;

const schema = object({
  access: picklist(['Off', 'Owners', 'Members']),
  isReasonNeeded: boolean(),
  approval: picklist(['None', 'Approve', 'Watch']),
  recording: picklist(['BestEffort', 'Required']),
  allowsTokens: boolean(),
});

/** Who may open terminals on the devices of the project, and the button that changes it. */
export function TerminalPolicyCard({
  projectId,
  policy = defaultTerminalPolicy,
  ownerOnly,
}: {
  projectId: Id<'project'>;
  policy: TerminalPolicy | undefined;
  /** Why the user may not change it. */
  ownerOnly: string | undefined;
}) {
  const run = useRun();
  return (
    <PolicyCard
      {...{ words, schema, ownerOnly }}
      text={textOf(policy)}
      icon={<SquareTerminal size={15} aria-hidden />}
      fields={{
        access: select(words.access, words.accesses, policy.access),
        isReasonNeeded: checkbox(words.isReasonNeeded, policy.isReasonNeeded),
        approval: select(words.approval, words.approvals, policy.approval),
        recording: select(words.recording, words.recordings, policy.recording),
        allowsTokens: checkbox(words.allowsTokens, policy.allowsTokens),
      }}
      onSubmit={async (next) => {
        await run(setTerminalPolicy, { projectId, ...next });
        showToast(words.changed, { tone: 'ok' });
      }}
    />
  );
}

const checkbox = (label: string, initial: boolean) => ({ kind: 'checkbox', label, initial }) as const;

const select = (label: string, choices: Readonly<Record<string, string>>, initial: string) =>
  ({
    kind: 'select',
    label,
    options: Object.entries(choices).map(([value, text]) => ({ value, label: text })),
    initial,
  }) as const;

function textOf({ access, isReasonNeeded, approval, recording, allowsTokens }: TerminalPolicy): string {
  const { texts } = words;
  if (access === 'Off') return texts.Off;
  return [
    texts[access],
    ...(isReasonNeeded ? [texts.reason] : []),
    ...(approval === 'None' ? [] : [texts[approval]]),
    ...(recording === 'Required' ? [texts.Required] : []),
    ...(allowsTokens ? [texts.tokens] : []),
  ].join(' ');
}
