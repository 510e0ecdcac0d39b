import { listedAlert, listedMute, listedRule } from './alert-answers.ts';
import { type ListScreen, removalOf } from './list-screen.ts';
import { projectAnswers, projectId } from './project-answers.ts';

const address = `/projects/${projectId}/alerts`;
const second = { alertId: 'alert_20261120-1158-AAAAAAA2', subject: 'north-gate' } as const;
const noDays = () => ({ from: '2026-10-22T00:00:00Z', days: [] });

/** The lists of alerts. */
export const alertListScreens: readonly ListScreen[] = [
  {
    file: 'features/alerts/FiringTab.tsx',
    address,
    table: 'Firing',
    columns: ['Severity', 'About', 'Rule', 'State', 'Since', 'Actions'],
    empty: 'Nothing fires',
    answers: (rows) => ({ ...projectAnswers, alerts_QueryAlerts: () => ({ alerts: [...rows] }) }),
    rows: [listedAlert(), listedAlert(second)],
    texts: ['crane-04', 'north-gate'],
    finds: null,
    change: { topic: 'alerts', projectId },
  },
  {
    file: 'features/alerts/HistoryTab.tsx',
    address: `${address}?tab=history`,
    table: 'History',
    columns: ['Severity', 'About', 'Rule', 'Fired', 'Lasted', 'How It Ended'],
    empty: 'No alerts in 30 days',
    answers: (rows) => ({
      ...projectAnswers,
      alerts_QueryAlertDays: noDays,
      alerts_QueryAlerts: () => ({ alerts: [...rows] }),
    }),
    rows: [listedAlert(), listedAlert(second)],
    texts: ['crane-04', 'north-gate'],
    finds: null,
    change: { topic: 'alerts', projectId },
  },
  {
    file: 'features/alerts/RulesTab.tsx',
    address: `${address}?tab=rules`,
    table: 'Rules',
    columns: ['Name', 'Fires When', 'Severity', 'Fire Now', 'Tells', 'Last Told', 'State', 'Actions'],
    empty: 'No rules',
    answers: (rows) => ({ ...projectAnswers, alerts_QueryRules: () => ({ rules: [...rows] }) }),
    rows: [listedRule({ name: 'quay' }), listedRule({ ruleId: 'alert_rule_2', name: 'mast' })],
    texts: ['quay', 'mast'],
    finds: 'quay',
    sort: { header: 'Name', id: 'name' },
    removal: removalOf(
      'alerts_DeleteRule',
      { ruleId: 'alert_rule_1' },
      {
        path: ['Actions for quay', 'Delete Rule'],
        dialog: 'Delete the rule “quay”',
        verb: 'Delete Rule',
      },
    ),
    change: { topic: 'alerts', projectId },
  },
  {
    file: 'features/alerts/MutedTab.tsx',
    address: `${address}?tab=muted`,
    table: 'Muted',
    columns: ['What', 'Until', 'Reason', 'By', 'Muted', 'Actions'],
    empty: 'Nothing is muted',
    answers: (rows) => ({ ...projectAnswers, alerts_QueryMutes: () => ({ mutes: [...rows] }) }),
    rows: [listedMute(), listedMute({ muteId: 'alert_mute_2', deviceName: 'north-gate' })],
    texts: ['crane-04', 'north-gate'],
    finds: null,
    removal: removalOf(
      'alerts_Unmute',
      { muteId: 'alert_mute_1' },
      {
        path: ['Actions for Device crane-04', 'Unmute'],
        dialog: 'Unmute Device crane-04',
        verb: 'Unmute',
      },
    ),
    change: { topic: 'alerts', projectId },
  },
];
