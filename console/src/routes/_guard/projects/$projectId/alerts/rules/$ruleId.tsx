import type { Id } from '@corral/contract';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import { RulePage } from '../../../../../../features/alerts/rule/RulePage.tsx';
import { ensureRule } from '../../../../../../features/alerts/rule/ensure-rule.ts';
import { NotFoundScreen } from '../../../../../../shell/not-found/NotFoundScreen.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/alerts/rules/$ruleId')({
  params: {
    parse: ({ ruleId }) => ({ ruleId: ruleId as Id<'alertRule'> }),
    stringify: ({ ruleId }) => ({ ruleId }),
  },
  loader: ({ context: { queryClient }, params: { projectId, ruleId } }) =>
    ensureRule(queryClient, { projectId }, ruleId),
  notFoundComponent: () => <NotFoundScreen />,
  component: Rule,
});

function Rule() {
  const { projectId, ruleId } = Route.useParams();
  const place = useMemo(() => ({ projectId }), [projectId]);
  return <RulePage key={ruleId} {...{ place, ruleId }} />;
}
