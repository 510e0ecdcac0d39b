import { createFileRoute } from '@tanstack/react-router';
import { useMemo } from 'react';
import { parseNewRuleSearch } from '../../../../../../features/alerts/rule/new-rule-search.ts';
import { NewRulePage } from '../../../../../../features/alerts/rule/NewRulePage.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/alerts/rules/new')({
  validateSearch: parseNewRuleSearch,
  component: NewRule,
});

function NewRule() {
  const { projectId } = Route.useParams();
  const place = useMemo(() => ({ projectId }), [projectId]);
  return <NewRulePage key={projectId} {...{ place }} />;
}
