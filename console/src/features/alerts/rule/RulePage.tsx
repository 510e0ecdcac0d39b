import type { Id } from '@corral/contract';
import { Link, notFound, useNavigate } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { type AlertPlace, type AlertRule, alertRulesQuery } from '../../../parts/alerts/alerts.ts';
import { FormActions } from '../../../parts/FormActions.tsx';
import { orToast } from '../../../parts/or-toast.ts';
import { PageActionButton } from '../../../parts/PageActionButton.tsx';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { Button } from '../../../ui/action/Button.tsx';
import { SeverityBadge } from '../../../ui/badge/SeverityBadge.tsx';
import { useFailure } from '../../../ui/form/use-failure.ts';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { alertsLink } from '../alert-links.ts';
import { changeRule, testRule } from '../alert-mutations.ts';
import { conditionText } from '../condition-words.ts';
import { alertPageCopy } from '../copy.ts';
import { useCanChangeRules } from '../use-can-change-rules.ts';
import { ruleCopy as words } from './copy.ts';
import { draftOf, useDraftRule } from './draft-rule.ts';
import { readRule } from './read-rule.ts';
import { RuleForm } from './RuleForm.tsx';
import { RuleMenu } from './RuleMenu.tsx';
import { type TestAnswer, TestResult } from './TestResult.tsx';

/** A rule: how it stands, and its form, which changes it. */
export function RulePage({ place, ruleId }: { place: AlertPlace; ruleId: Id<'alertRule'> }) {
  const { data } = useLoadedQuery(alertRulesQuery(place));
  const rule = data.rules.find((one) => one.ruleId === ruleId);
  const [isLeaving, setIsLeaving] = useState(false);
  const navigate = useNavigate();
  if (rule === undefined) {
    // Once it is deleted, the page stays until the navigation ends.
    if (!isLeaving) throw notFound();
    return null;
  }
  return (
    <KnownRule
      {...{ place, rule }}
      onDelete={() => setIsLeaving(true)}
      onDeleted={() => navigate(alertsLink(place, { tab: 'rules' }) as never)}
    />
  );
}

function KnownRule({
  place,
  rule,
  onDelete,
  onDeleted,
}: {
  place: AlertPlace;
  rule: AlertRule;
  onDelete: () => void;
  onDeleted: () => Promise<void>;
}) {
  const first = useMemo(() => draftOf(place, rule), [place, rule]);
  const { draft, isChanged, change, end } = useDraftRule(`alert rule ${rule.ruleId}`, first);
  const run = useRun();
  const [failure, attempt] = useFailure();
  const [tested, setTested] = useState<TestAnswer>();
  const canChange = useCanChangeRules(place);
  const read = readRule(draft);
  const { input, condition } = read;
  const whyNot = canChange ? read.problem : alertPageCopy.rules.ownersOnly;
  const restarts = isChanged && JSON.stringify(condition) !== JSON.stringify(rule.condition);
  const { ruleId, isEnabled } = rule;
  async function save(): Promise<void> {
    if (input === undefined) return;
    await run(changeRule, { ruleId, isEnabled, ...input });
    end();
    showToast(words.saved, { tone: 'ok' });
  }
  const test = () =>
    orToast(
      words.test.failed,
      run(testRule, { ruleId }).then((answer) => setTested(answer)),
    );
  return (
    <Page>
      <SectionHeader
        title={rule.name}
        name={rule.name}
        badges={
          <span className="ps-[9px]">
            <SeverityBadge severity={rule.severity} isHanging={false} />
          </span>
        }
        meta={<Standing {...{ place, rule }} />}
        actions={
          <>
            <PageActionButton
              variant="outlined"
              isWrite
              disabledReason={
                canChange ? (isChanged ? words.test.saveFirst : undefined) : alertPageCopy.rules.ownersOnly
              }
              icon={<Send size={15} aria-hidden />}
              onClick={test}
            >
              {words.test.send}
            </PageActionButton>
            <RuleMenu {...{ place, rule, canChange, onDelete, onDeleted }} />
          </>
        }
      />
      <State {...{ rule }} />
      {tested !== undefined && <TestResult {...{ place, tested }} />}
      <RuleForm
        {...{ place, draft, change, read }}
        actions={
          <FormActions {...{ failure }} whyNot={whyNot ?? (restarts ? words.restarts : undefined)}>
            <Button
              variant="primary"
              isWrite
              disabledReason={whyNot ?? (isChanged ? undefined : words.unchanged)}
              onClick={() => attempt(save)}
            >
              {words.save}
            </Button>
            {isChanged && (
              <Button variant="quiet" onClick={end}>
                {words.discard}
              </Button>
            )}
          </FormActions>
        }
      />
    </Page>
  );
}

/** What the rule fires at, and what it finds now: each number leads to its alerts. */
function Standing({
  place,
  rule: { ruleId, condition, counts, toldAt },
}: {
  place: AlertPlace;
  rule: AlertRule;
}) {
  const parts = [
    { state: 'Firing' as const, count: counts.firing, word: words.about.firing },
    { state: 'Acknowledged' as const, count: counts.acknowledged, word: words.about.acknowledged },
    { state: 'Pending' as const, count: counts.pending, word: words.about.pending },
  ].filter(({ count, state }) => count > 0 || state === 'Firing');
  return (
    <span className="own-direction wrap-anywhere">
      {conditionText(condition)}.{' '}
      {parts.map(({ state, count, word }, index) => (
        <span key={state}>
          {index > 0 && ', '}
          <Link {...alertsLink(place, { rule: ruleId, state })} className="number-link tabular">
            {alertPageCopy.upTo(count)}
          </Link>{' '}
          {word}
        </span>
      ))}
      ;{' '}
      {toldAt === undefined ? (
        words.about.never
      ) : (
        <>
          {words.about.told} <RelativeTime at={toldAt} />
        </>
      )}
      .{' '}
      <Link {...alertsLink(place, { tab: 'history', rule: ruleId })} className="underline underline-offset-3">
        {words.about.history}
      </Link>
    </span>
  );
}

function State({ rule: { isEnabled, problem, mutedUntil } }: { rule: AlertRule }) {
  if (isEnabled && problem === undefined && mutedUntil === undefined) return null;
  return (
    <div className="mb-5">
      {!isEnabled ? (
        <Notice title={words.about.off}>{words.about.offText}</Notice>
      ) : problem === undefined ? (
        <Notice title={words.about.muted}>
          {words.about.mutedText} {mutedUntil !== undefined && <RelativeTime at={mutedUntil} />}
        </Notice>
      ) : (
        <Notice tone="warn" title={words.about.problem}>
          {problem}
        </Notice>
      )}
    </div>
  );
}
