import { actionMutation } from '../../../data/action-mutation.ts';

/** Begins a change as a preview has shown it. */
export const applyChange = actionMutation('fleet_ApplyChange', 'fleet_ChangeStarted');
/** Takes a change back. */
export const undoChange = actionMutation('fleet_UndoChange', 'fleet_ChangeStarted');
/** Ends a change before its time. */
export const cancelChange = actionMutation('fleet_CancelChange', 'fleet_ChangeFinished');
