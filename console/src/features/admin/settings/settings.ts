import { readSize, writeSize, type Output } from '@corral/contract';
import { actionMutation } from '../../../data/action-mutation.ts';
import { actionQuery } from '../../../data/action-query.ts';
import { everyMinute } from '../../../data/intervals.ts';
import { withoutEmptyRights } from './group-rights.ts';

/** One setting of the instance, with what the form needs. */
export type SettingDetails = NonNullable<Output<'instance_GetInstanceSettingsRaw'>['details']>[number];

/** The settings of the instance. */
export const settingsQuery = () => actionQuery('instance_GetInstanceSettingsRaw', {}, everyMinute);

/** Changes one setting; null sets its default. */
export const setSetting = actionMutation('instance_SetInstanceSettingRaw', 'instance_SettingChanged');

/** Sends an e-mail to the administrator and answers with the result. */
export const sendTestMail = actionMutation('instance_SendTestMail', 'settings');

/** What the provider of single sign-on needs, and who is linked there. */
export const providerQuery = () => actionQuery('users_GetProvider', {}, everyMinute);

/** The projects that groups can give rights in, by name. */
export const projectsQuery = () => actionQuery('projects_QueryProjects', {}, everyMinute);

/** The state of the seals of the audit log, and of its last check. */
export type AuditSealState = Output<'audit_GetSealState'>;

/** Whether a check of the log is under way. */
export const isChecking = ({ check }: AuditSealState): boolean =>
  check !== undefined && check.finishedAt === undefined;

/** The seals of the audit log; read again each second while it is checked. */
export const auditSealsQuery = () => ({
  ...actionQuery('audit_GetSealState', {}, everyMinute),
  refetchInterval: ({ state: { data } }: { state: { data: AuditSealState | undefined } }) =>
    data !== undefined && isChecking(data) ? 1000 : 60_000,
});

/** Checks the audit log against its seals. */
export const verifyAuditLog = actionMutation('audit_VerifyLog', 'log');

/** The sections of the form, with the settings of each. */
export const settingGroups = {
  registration: ['registration'],
  secondFactor: ['secondFactor', 'secondFactorGraceDays'],
  provider: [
    'oidcIssuer',
    'oidcClientId',
    'oidcClientSecret',
    'oidcName',
    'passwords',
    'oidcDomains',
    'oidcGroupsClaim',
    'oidcGroups',
  ],
  texts: ['banner', 'adminContact', 'termsUrl', 'privacyUrl', 'productUrl'],
  retention: ['eventRetentionMonths', 'connectionHistoryDays'],
  devices: ['devicesPerProject', 'devicePropertyBytes', 'deviceEventsPerDay', 'deviceEventBytesPerDay'],
  users: ['ownedPerUser', 'recordedRowsPerHour'],
  quotas: ['quotaMaxBytes', 'quotaMaxAssets'],
  publishing: ['ciIssuers'],
  mail: ['smtpUrl', 'mailFrom'],
  heartbeat: ['heartbeatUrl'],
} as const;

/** The name of a section of the form. */
export type SettingGroup = keyof typeof settingGroups;

/** The settings that are numbers of bytes; they are shown and typed as sizes, such as 50 GiB. */
const sizes: ReadonlySet<string> = new Set([
  'devicePropertyBytes',
  'deviceEventBytesPerDay',
  'quotaMaxBytes',
]);

/** The present value of a setting as text; of a secret nothing, since it is not known here. */
export function textOf({ key, value, isSecret }: SettingDetails): string {
  if (isSecret || value === null) return '';
  return isSize({ key }) && typeof value === 'number' ? writeSize(value) : String(value as string | number);
}

/** Whether a setting is typed as a size. */
export function isSize({ key }: Pick<SettingDetails, 'key'>): boolean {
  return sizes.has(key);
}

/** What the hub stores for a typed text: null for none, and bytes for a size. */
export function valueOf(setting: Pick<SettingDetails, 'key'>, typed: string): string | null {
  const text = setting.key === 'oidcGroups' ? withoutEmptyRights(typed) : typed.trim();
  if (text === '') return null;
  return isSize(setting) ? String(readSize(text) ?? text) : text;
}
