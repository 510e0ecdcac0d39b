import { createFileRoute } from '@tanstack/react-router';
import { parseNewRuleSearch } from '../../../../../features/alerts/rule/new-rule-search.ts';
import { NewRulePage } from '../../../../../features/alerts/rule/NewRulePage.tsx';
import { theInstance } from '../../../../../parts/alerts/alerts.ts';

export const Route = createFileRoute('/_guard/admin/alerts/rules/new')({
  validateSearch: parseNewRuleSearch,
  component: () => <NewRulePage place={theInstance} />,
});
