import { actionMutation } from '../../data/action-mutation.ts';

/** Creates an alert rule. */
export const createRule = actionMutation('alerts_CreateRule', 'alerts_RuleCreated');
/** Changes an alert rule. */
export const changeRule = actionMutation('alerts_ChangeRule', 'alerts_RuleChanged');
/** Deletes an alert rule. */
export const deleteRule = actionMutation('alerts_DeleteRule', 'alerts_RuleDeleted');
/** Sends a test by each channel of an alert rule. */
export const testRule = actionMutation('alerts_TestRule', 'alerts_Changed');
/** Has e-mails of an alert rule sent to the user, or not. */
export const setRuleMails = actionMutation('alerts_SetRuleMails', 'alerts_Changed');
