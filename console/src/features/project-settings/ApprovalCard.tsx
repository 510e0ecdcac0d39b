import type { Id, Output } from '@corral/contract';
import { UserRoundCheck } from 'lucide-react';
import { useState } from 'react';
import { check, object, pipe, string } from 'valibot';
import { useRun } from '../../data/action-mutation.ts';
import { Button } from '../../ui/action/Button.tsx';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { projectSettingsCopy } from './copy.ts';
import { setPolicies } from './mutations.ts';

const words = projectSettingsCopy.approval;

type Approval = Output<'projects_GetProjectDetails'>['approval'];

/** Which operations need a second person, and the button that changes it. */
export function ApprovalCard({
  projectId,
  approval,
  ownerOnly,
}: {
  projectId: Id<'project'>;
  approval: Approval;
  /** Why the user may not change it. */
  ownerOnly: string | undefined;
}) {
  const [open, onOpenChange] = useState(false);
  const run = useRun();
  return (
    <Card title={words.title}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-[26rem] text-body text-ink2">{textOf(approval)}</p>
        <Button
          icon={<UserRoundCheck size={15} aria-hidden />}
          isWrite
          disabledReason={ownerOnly}
          onClick={() => onOpenChange(true)}
        >
          {words.verb}
        </Button>
      </div>
      <FieldsDialog
        {...{ open, onOpenChange }}
        title={words.title}
        description={words.explanation}
        submitLabel={words.verb}
        fields={{
          above: {
            label: words.above,
            inputMode: 'numeric',
            initial: approval?.aboveDevices === undefined ? '' : String(approval.aboveDevices),
          },
          commands: {
            label: words.commands,
            hint: words.commandsHint,
            spellCheck: false,
            autoCapitalize: 'none',
            initial: approval?.commands.join(' ') ?? '',
          },
        }}
        schema={object({
          above: pipe(
            string(),
            check(
              (typed) => /^\d{0,7}$/u.test(typed.trim()) && Number(typed) <= 1_000_000,
              words.invalidAbove,
            ),
          ),
          commands: pipe(
            string(),
            check((typed) => namesOf(typed).length <= 50, words.tooMany),
          ),
        })}
        onSubmit={async (typed) => {
          const next = approvalOf(typed);
          await run(setPolicies, { projectId, ...(next === undefined ? {} : { approval: next }) });
          showToast(next === undefined ? words.off : words.changed, { tone: 'ok' });
        }}
      />
    </Card>
  );
}

const namesOf = (typed: string): string[] => typed.split(/\s+/u).filter((name) => name !== '');

/** Both fields empty is no policy. */
function approvalOf({ above, commands }: { above: string; commands: string }): Approval {
  const names = [...new Set(namesOf(commands))];
  if (above.trim() === '' && names.length === 0) return undefined;
  return { ...(above.trim() === '' ? {} : { aboveDevices: Number(above) }), commands: names };
}

function textOf(approval: Approval): string {
  if (approval === undefined) return words.text;
  const { aboveDevices, commands } = approval;
  return words.chosen([
    ...(aboveDevices === undefined ? [] : [words.chosenAbove(aboveDevices)]),
    ...(commands.length === 0 ? [] : [words.chosenCommands(commands)]),
  ]);
}
