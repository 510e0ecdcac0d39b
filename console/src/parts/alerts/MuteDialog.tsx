import { deviceFields, type Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { projectQuery } from '../../data/queries-projects.ts';
import { useDraft, useDraftOnClosing } from '../../ui/form/drafts.ts';
import { Select } from '../../ui/form/Select.tsx';
import { TextField } from '../../ui/form/TextField.tsx';
import { useFailure } from '../../ui/form/use-failure.ts';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { MistakeInFilter } from '../../ui/table/MistakeInFilter.tsx';
import { DeviceFilterField } from '../device-filter/DeviceFilterField.tsx';
import { mistakeIn } from '../filter-mistake.ts';
import type { DialogProps } from '../use-lazy-dialog.ts';
import { WindowFields } from '../WindowFields.tsx';
import { type AlertPlace, alertRulesQuery } from './alerts.ts';
import { muteAlerts } from './mutations.ts';
import { alertsCopy } from './copy.ts';
import { type MuteDraft, mutedOf, newMute, untilChoices, type WhatMuted } from './mute-draft.ts';

const words = alertsCopy.muting;
const errorId = 'mute-mistake';

/** What can be muted from where the dialog was opened; without any of it the user chooses. */
export interface MuteTarget {
  readonly deviceId?: Id<'device'> | undefined;
  readonly deviceName?: string | undefined;
  readonly ruleId?: Id<'alertRule'> | undefined;
  readonly ruleName?: string | undefined;
}

type MuteDialogProps = DialogProps & { place: AlertPlace; target: MuteTarget };

/** Asks what is muted, and until when. What was typed stays when it is closed without Cancel. */
export function MuteDialog(props: MuteDialogProps) {
  const [opening, setOpening] = useState(0);
  return <MuteForm key={opening} {...props} onClosed={() => setOpening((number) => number + 1)} />;
}

function MuteForm({
  place,
  target,
  open,
  onOpenChange,
  onClosed,
}: MuteDialogProps & { onClosed: () => void }) {
  const { projectId } = place;
  const run = useRun();
  const [failure, attempt] = useFailure();
  const [isBusy, setIsBusy] = useState(false);
  const project = useQuery({ ...projectQuery(projectId ?? 'p_'), enabled: open && projectId !== undefined });
  const choices = choicesOf(place, target, project.data?.isOwner !== false);
  const kept = useDraft<Partial<MuteDraft>>(
    `mute ${projectId ?? ''} ${target.deviceId ?? target.ruleId ?? ''}`,
  );
  const [typed, setTyped] = useState<Partial<MuteDraft>>(() => kept.read() ?? {});
  const draft = { ...newMute(choices[0]?.value ?? 'filter'), ...typed };
  const change = (parts: Partial<MuteDraft>) => setTyped((before) => ({ ...before, ...parts }));
  useDraftOnClosing(kept, open, () => typed);
  const read = mutedOf(draft, target);
  function close(): void {
    kept.end();
    onOpenChange(false);
  }
  async function submit(): Promise<void> {
    if (read.problem !== undefined) return;
    setIsBusy(true);
    await attempt(async () => {
      await run(muteAlerts, { ...place, ...read.input });
      showToast(words.done, { tone: 'ok' });
      close();
    });
    setIsBusy(false);
  }
  return (
    <FormDialog
      {...{ open, onOpenChange }}
      title={words.title}
      description={words.text}
      submitLabel={words.submit}
      onCancel={close}
      onReset={onClosed}
      onSubmit={() => void submit()}
      canSubmit={read.problem === undefined}
      busy={isBusy}
      error={failure}
    >
      <Select
        label={words.what}
        options={choices}
        value={draft.what}
        onValueChange={(what) => change({ what: what ?? draft.what })}
        description={choices.length === 1 && draft.what === 'filter' ? words.ownersOnly : undefined}
      />
      {open && <WhatFields {...{ place, target, draft, change }} />}
      <Select
        label={words.until}
        options={untilChoices.map((value) => ({ value, label: words.untils[value] }))}
        value={draft.until}
        onValueChange={(until) => change({ until: until ?? draft.until })}
      />
      {draft.until === 'date' && (
        <TextField
          label={words.date}
          type="datetime-local"
          required
          value={draft.date}
          onValueChange={(date) => change({ date })}
        />
      )}
      {draft.until === 'daily' && <WindowFields value={draft} onChange={change} />}
      <TextField
        label={words.reason}
        required={false}
        autoComplete="off"
        maxLength={500}
        value={draft.reason}
        onValueChange={(reason) => change({ reason })}
      />
      {read.problem !== undefined && <p className="text-small text-ink2">{read.problem}</p>}
    </FormDialog>
  );
}

/** Which rule, or which devices, where that is chosen here. */
function WhatFields({
  place,
  target,
  draft,
  change,
}: {
  place: AlertPlace;
  target: MuteTarget;
  draft: MuteDraft;
  change: (parts: Partial<MuteDraft>) => void;
}) {
  const isRuleAsked = draft.what === 'rule' && target.ruleId === undefined;
  const { data } = useQuery({ ...alertRulesQuery(place), enabled: isRuleAsked });
  const [isCompleting, setIsCompleting] = useState(false);
  const { projectId } = place;
  if (isRuleAsked)
    return (
      <Select
        label={words.whichRule}
        required
        options={(data?.rules ?? []).map(({ ruleId, name }) => ({ value: ruleId, label: name }))}
        value={draft.ruleId ?? null}
        onValueChange={(ruleId) => change({ ruleId: ruleId ?? undefined })}
      />
    );
  if (draft.what !== 'filter' || projectId === undefined) return null;
  const mistake =
    draft.filter.trim() === '' || isCompleting ? undefined : mistakeIn(draft.filter, deviceFields, 0);
  return (
    <div className="flex flex-col gap-2">
      <DeviceFilterField
        {...{ projectId }}
        label={words.filterField}
        placeholder="label.site:north"
        value={draft.filter}
        onValueChange={(filter) => change({ filter })}
        errorId={mistake && errorId}
        onListChange={setIsCompleting}
      />
      {mistake !== undefined && <MistakeInFilter id={errorId} mistake={mistake} />}
    </div>
  );
}

function choicesOf(
  { projectId }: AlertPlace,
  { deviceId, deviceName, ruleId, ruleName }: MuteTarget,
  isOwner: boolean,
): { value: WhatMuted; label: string }[] {
  const device =
    deviceId === undefined ? [] : [{ value: 'device' as const, label: words.device(deviceName ?? deviceId) }];
  const rule =
    ruleId === undefined || !isOwner ? [] : [{ value: 'rule' as const, label: words.rule(ruleName ?? '') }];
  if (deviceId !== undefined || ruleId !== undefined) return [...device, ...rule];
  const filter = projectId === undefined ? [] : [{ value: 'filter' as const, label: words.filter }];
  const owners = [
    { value: 'rule' as const, label: words.oneRule },
    { value: 'all' as const, label: words.all },
  ];
  return isOwner ? [...filter, ...owners] : filter;
}
