// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { Acknowledge } from './Acknowledge.ts';
import { ChangeRule } from './ChangeRule.ts';
import { CountAlerts } from './CountAlerts.ts';
import { CreateRule } from './CreateRule.ts';
import { DeleteRule } from './DeleteRule.ts';
import { Mute } from './Mute.ts';
import { PreviewRule } from './PreviewRule.ts';
import { QueryAlertDays } from './QueryAlertDays.ts';
import { QueryAlerts } from './QueryAlerts.ts';
import { QueryMutes } from './QueryMutes.ts';
import { QueryRules } from './QueryRules.ts';
import { SetRuleMails } from './SetRuleMails.ts';
import { TestRule } from './TestRule.ts';
import { Unmute } from './Unmute.ts';

/** The actions of this domain by wire name. */
export const alertsActions = {
  alerts_Acknowledge: Acknowledge,
  alerts_ChangeRule: ChangeRule,
  alerts_CountAlerts: CountAlerts,
  alerts_CreateRule: CreateRule,
  alerts_DeleteRule: DeleteRule,
  alerts_Mute: Mute,
  alerts_PreviewRule: PreviewRule,
  alerts_QueryAlertDays: QueryAlertDays,
  alerts_QueryAlerts: QueryAlerts,
  alerts_QueryMutes: QueryMutes,
  alerts_QueryRules: QueryRules,
  alerts_SetRuleMails: SetRuleMails,
  alerts_TestRule: TestRule,
  alerts_Unmute: Unmute,
};
