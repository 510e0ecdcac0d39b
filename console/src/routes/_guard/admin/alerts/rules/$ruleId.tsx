import type { Id } from '@corral/contract';
import { createFileRoute } from '@tanstack/react-router';
import { ensureRule } from '../../../../../features/alerts/rule/ensure-rule.ts';
import { RulePage } from '../../../../../features/alerts/rule/RulePage.tsx';
import { theInstance } from '../../../../../parts/alerts/alerts.ts';
import { NotFoundScreen } from '../../../../../shell/not-found/NotFoundScreen.tsx';

export const Route = createFileRoute('/_guard/admin/alerts/rules/$ruleId')({
  params: {
    parse: ({ ruleId }) => ({ ruleId: ruleId as Id<'alertRule'> }),
    stringify: ({ ruleId }) => ({ ruleId }),
  },
  loader: ({ context: { queryClient }, params: { ruleId } }) => ensureRule(queryClient, theInstance, ruleId),
  notFoundComponent: () => <NotFoundScreen />,
  component: Rule,
});

function Rule() {
  const { ruleId } = Route.useParams();
  return <RulePage key={ruleId} place={theInstance} {...{ ruleId }} />;
}
