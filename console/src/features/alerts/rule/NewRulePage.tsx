import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import type { AlertPlace } from '../../../parts/alerts/alerts.ts';
import { FormActions } from '../../../parts/FormActions.tsx';
import { omitUndefined } from '../../../parts/search-values.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { useUrlSearch } from '../../../parts/use-url-search.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { useFailure } from '../../../ui/form/use-failure.ts';
import { Page } from '../../../ui/layout/Page.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { alertsLink, ruleLink } from '../alert-links.ts';
import { createRule } from '../alert-mutations.ts';
import { alertPageCopy } from '../copy.ts';
import { useCanChangeRules } from '../use-can-change-rules.ts';
import { ruleCopy as words } from './copy.ts';
import { emptyRule, useDraftRule } from './draft-rule.ts';
import type { NewRuleSearch } from './new-rule-search.ts';
import { readRule } from './read-rule.ts';
import { RuleForm } from './RuleForm.tsx';

/** Composes a rule beside what it would find now. */
export function NewRulePage({ place }: { place: AlertPlace }) {
  const [{ kind, q }] = useUrlSearch<NewRuleSearch>();
  const first = useMemo(() => emptyRule(place), [place]);
  const { draft, change, end } = useDraftRule(
    `new alert rule ${place.projectId ?? ''}`,
    first,
    omitUndefined({ kind, filter: q }),
  );
  const run = useRun();
  const navigate = useNavigate();
  const [failure, attempt] = useFailure();
  const canChange = useCanChangeRules(place);
  const read = readRule(draft);
  const { input } = read;
  const whyNot = canChange ? read.problem : alertPageCopy.rules.ownersOnly;
  async function add(): Promise<void> {
    if (input === undefined) return;
    const { ruleId } = await run(createRule, { ...place, ...input });
    end();
    showToast(words.added(input.name), { tone: 'ok' });
    await navigate(ruleLink(place, ruleId) as never);
  }
  async function discard(): Promise<void> {
    end();
    await navigate(alertsLink(place, { tab: 'rules' }) as never);
  }
  const tellsNobody = draft.mails === 'None' && draft.webhookIds.length === 0;
  return (
    <Page>
      <SectionHeader title={words.newTitle} name={words.newTitle} meta={words.text} />
      <RuleForm
        {...{ place, draft, change, read }}
        actions={
          <FormActions {...{ failure }} whyNot={whyNot ?? (tellsNobody ? words.whyNot.nobody : undefined)}>
            <Button variant="primary" isWrite disabledReason={whyNot} onClick={() => attempt(add)}>
              {words.add}
            </Button>
            <Button variant="quiet" onClick={() => attempt(discard)}>
              {words.discard}
            </Button>
          </FormActions>
        }
      />
    </Page>
  );
}
