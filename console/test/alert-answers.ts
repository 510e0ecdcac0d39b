import type { Output } from '@corral/contract';
import { crane } from './project-answers.ts';

type Alert = Output<'alerts_QueryAlerts'>['alerts'][number];
type Rule = Output<'alerts_QueryRules'>['rules'][number];
type Mute = Output<'alerts_QueryMutes'>['mutes'][number];

/** An alert of a device that fires. */
export const listedAlert = (given: Partial<Alert> = {}): Alert => ({
  alertId: 'alert_20261120-1159-AAAAAAA1',
  ruleId: 'alert_rule_1',
  ruleName: 'Devices offline for 10 min',
  severity: 'Warning',
  state: 'Firing',
  subject: 'crane-04',
  deviceId: crane,
  since: '2026-11-20T11:49:00Z',
  firedAt: '2026-11-20T11:59:00Z',
  flaps: 0,
  isMuted: false,
  isTold: true,
  ...given,
});

/** A rule that finds nothing. */
export const listedRule = (given: Partial<Rule> = {}): Rule => ({
  ruleId: 'alert_rule_1',
  name: 'Devices offline for 10 min',
  condition: { kind: 'Offline', forSecs: 600 },
  severity: 'Warning',
  channels: { mails: 'Owners' },
  isEnabled: true,
  createdBy: { actor: 'System', kind: 'System' },
  createdAt: '2026-11-01T10:00:00Z',
  counts: { firing: 0, acknowledged: 0, pending: 0 },
  isUnsubscribed: false,
  ...given,
});

/** A device that is muted. */
export const listedMute = (given: Partial<Mute> = {}): Mute => ({
  muteId: 'alert_mute_1',
  deviceId: crane,
  deviceName: 'crane-04',
  until: '2026-12-01T08:00:00Z',
  createdBy: { actor: 'System', kind: 'System' },
  createdAt: '2026-11-20T10:00:00Z',
  ...given,
});
