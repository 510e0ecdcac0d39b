import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { projectMembersQuery } from '../../../data/queries-projects.ts';
import { type AlertPlace, alertSeverities } from '../../../parts/alerts/alerts.ts';
import { useIsMailConfigured } from '../../../parts/use-is-mail-configured.ts';
import { WindowFields } from '../../../parts/WindowFields.tsx';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { MultiSelect } from '../../../ui/form/MultiSelect.tsx';
import { RadioCards } from '../../../ui/form/RadioCards.tsx';
import { Select } from '../../../ui/form/Select.tsx';
import { NumberedStep } from '../../../ui/layout/NumberedStep.tsx';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { ruleCopy } from './copy.ts';
import type { ChangeRuleDraft, DraftRule } from './draft-rule.ts';
import { webhooksOfProjectQuery } from './rule-webhooks.ts';

const words = ruleCopy.told;

type Part = { place: AlertPlace; draft: DraftRule; change: ChangeRuleDraft };

/** Who is told, by what, and how soon they should look. */
export function ToldStep({ number, ...part }: Part & { number: number }) {
  const { draft, change } = part;
  const isCritical = draft.severity === 'Critical';
  return (
    <NumberedStep
      {...{ number }}
      title={words.title}
      text={part.place.projectId === undefined ? words.textOfInstance : words.text}
    >
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <Mails {...part} />
        {part.place.projectId !== undefined && <Webhooks {...part} projectId={part.place.projectId} />}
      </div>
      <div className="mt-4">
        <RadioCards
          label={words.severity}
          options={alertSeverities.map((value) => ({
            value,
            label: words.severities[value],
            text: words.severityTexts[value],
          }))}
          value={draft.severity}
          onValueChange={(severity) => change({ severity })}
        />
      </div>
      <div className="mt-4 grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <Select
          label={words.remind}
          options={Object.entries(words.reminds).map(([value, label]) => ({ value, label }))}
          value={draft.remindSecs}
          onValueChange={(next) => change({ remindSecs: next ?? 'never' })}
        />
      </div>
      <div className="mt-4">
        <Checkbox
          label={words.quiet}
          description={isCritical ? words.quietCritical : words.quietText}
          disabled={isCritical}
          checked={draft.isQuiet && !isCritical}
          onCheckedChange={(isQuiet) => change({ isQuiet })}
        />
        {draft.isQuiet && !isCritical && <WindowFields value={draft} onChange={change} />}
      </div>
    </NumberedStep>
  );
}

function Mails({ place: { projectId }, draft, change }: Part) {
  const isInstance = projectId === undefined;
  const isConfigured = useIsMailConfigured();
  const texts: Readonly<Record<string, string>> = isInstance ? words.mailsOfInstance : words.mailsOf;
  const { data } = useQuery({
    ...projectMembersQuery(projectId ?? 'p_'),
    enabled: !isInstance && draft.mails === 'Some',
  });
  return (
    <div className="flex flex-col gap-4">
      <Select
        label={words.mails}
        options={Object.entries(texts).map(([value, label]) => ({
          value: value as DraftRule['mails'],
          label,
        }))}
        value={draft.mails}
        onValueChange={(next) => change({ mails: next ?? draft.mails })}
        description={!isConfigured && draft.mails !== 'None' && <NoMailServer {...{ isInstance }} />}
      />
      {draft.mails === 'Some' && !isInstance && (
        <MultiSelect
          label={words.members}
          required
          placeholder={words.membersPlaceholder}
          options={(data?.users ?? []).map(({ userId, displayName, email }) => ({
            value: userId,
            label: displayName?.trim() ? displayName : email,
          }))}
          values={draft.userIds}
          onValuesChange={(userIds) => change({ userIds: userIds as Id<'user'>[] })}
        />
      )}
    </div>
  );
}

function NoMailServer({ isInstance }: { isInstance: boolean }) {
  return (
    <span className="text-warn">
      {words.noMail}{' '}
      {isInstance ? (
        <TextLink render={<Link to="/admin/settings" />}>{words.noMailSet}</TextLink>
      ) : (
        words.noMailAsk
      )}
    </span>
  );
}

function Webhooks({ projectId, draft, change }: Part & { projectId: Id<'project'> }) {
  const { data } = useQuery(webhooksOfProjectQuery(projectId));
  const webhooks = data?.webhooks ?? [];
  const make = (
    <TextLink render={<Link to="/projects/$projectId/webhooks" params={{ projectId }} />}>
      {words.newWebhook}
    </TextLink>
  );
  return (
    <MultiSelect
      label={words.webhooks}
      placeholder={words.webhooksPlaceholder}
      options={webhooks.map(({ webhookId, name }) => ({ value: webhookId, label: name }))}
      values={draft.webhookIds}
      onValuesChange={(webhookIds) => change({ webhookIds: webhookIds as Id<'webhook'>[] })}
      disabled={data !== undefined && webhooks.length === 0}
      description={
        data !== undefined && webhooks.length === 0 ? (
          <>
            {words.noWebhooks} {make}
          </>
        ) : (
          make
        )
      }
    />
  );
}
