import { terms } from '../../copy/terms.ts';
import type { AlertPlace } from '../../parts/alerts/alerts.ts';
import type { CreateButton } from '../../parts/create-button.tsx';
import { newRuleLink } from './alert-links.ts';

/** The button that leads to a new rule. */
export const createRuleButton = (place: AlertPlace): CreateButton => ({
  label: terms.create.alerts,
  page: newRuleLink(place),
});
