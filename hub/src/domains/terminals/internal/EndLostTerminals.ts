import type { Internal } from '../../../calls/handler.ts';
import { endLost } from '../policy/ending.ts';

/** Ends terminals whose node is gone, that nobody approved or entered in time, or whose time is over. */
export const EndLostTerminals: Internal<void, number> = {
  name: 'terminals_EndLostTerminals',
  run: (context) => endLost(context),
};
