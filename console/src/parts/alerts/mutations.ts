import { actionMutation } from '../../data/action-mutation.ts';

/** Acknowledges alerts. */
export const acknowledgeAlerts = actionMutation('alerts_Acknowledge', 'alerts_Acknowledged');
/** Keeps alerts from being told. */
export const muteAlerts = actionMutation('alerts_Mute', 'alerts_Muted');
/** Ends a mute. */
export const unmuteAlerts = actionMutation('alerts_Unmute', 'alerts_Unmuted');
