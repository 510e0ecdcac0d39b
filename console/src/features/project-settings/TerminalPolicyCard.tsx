import { defaultTerminalPolicy, type Id, type TerminalPolicy } from '@corral/contract';
import { SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { boolean, object, picklist } from 'valibot';
import { useRun } from '../../data/action-mutation.ts';
import { Button } from '../../ui/action/Button.tsx';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { projectSettingsCopy } from './copy.ts';
import { setTerminalPolicy } from './mutations.ts';

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
  const [open, onOpenChange] = useState(false);
  const run = useRun();
  return (
    <Card title={words.title}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-[26rem] text-body text-ink2">{textOf(policy)}</p>
        <Button
          icon={<SquareTerminal size={15} aria-hidden />}
          isWrite
          disabledReason={ownerOnly}
          onClick={() => onOpenChange(true)}
        >
          {words.verb}
        </Button>
      </div>
      <FieldsDialog
        {...{ open, onOpenChange, schema }}
        title={words.title}
        description={words.explanation}
        submitLabel={words.verb}
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
    </Card>
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
