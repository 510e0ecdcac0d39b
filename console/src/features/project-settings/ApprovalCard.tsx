import type { Id, Output } from '@corral/contract';
import { UserRoundCheck } from 'lucide-react';
import { check, object, pipe, string } from 'valibot';
import { useRun } from '../../data/action-mutation.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import { projectSettingsCopy } from './copy.ts';
import { setPolicies } from './mutations.ts';
import { PolicyCard } from './PolicyCard.tsx';

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
  const run = useRun();
  return (
    <PolicyCard
      {...{ words, ownerOnly }}
      text={textOf(approval)}
      icon={<UserRoundCheck size={15} aria-hidden />}
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
          check((typed) => /^\d{0,7}$/u.test(typed.trim()) && Number(typed) <= 1_000_000, words.invalidAbove),
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
