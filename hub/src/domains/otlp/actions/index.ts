// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { GetOtlpConfig } from './GetOtlpConfig.ts';
import { GetOtlpStatus } from './GetOtlpStatus.ts';
import { SendOtlpTestEvent } from './SendOtlpTestEvent.ts';
import { SetOtlpConfig } from './SetOtlpConfig.ts';

/** The actions of this domain by wire name. */
export const otlpActions = {
  projects_GetOtlpConfig: GetOtlpConfig,
  projects_GetOtlpStatus: GetOtlpStatus,
  projects_SendOtlpTestEvent: SendOtlpTestEvent,
  projects_SetOtlpConfig: SetOtlpConfig,
};
