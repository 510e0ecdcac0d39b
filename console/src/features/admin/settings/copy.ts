import { catalogue } from '../../../copy/catalogue.ts';

/** The texts of the settings of the instance. */
export const settingsCopy = catalogue('instanceSettings', {
  text: 'They apply on every node within five seconds, without a restart.',
  groups: {
    registration: 'Registration',
    texts: 'Banner and links',
    retention: 'Retention',
    quotas: 'Quotas of new repositories',
    mail: 'E-mail',
  },
  fields: {
    registration: 'Registration',
    banner: 'Banner',
    adminContact: 'Contact',
    termsUrl: 'Terms of Service',
    privacyUrl: 'Privacy Policy',
    productUrl: 'Product link',
    eventRetentionMonths: 'Events of devices, in months',
    connectionHistoryDays: 'Connections of devices, in days',
    quotaMaxBytes: 'Bytes',
    quotaMaxAssets: 'Assets',
    smtpUrl: 'Mail server',
    mailFrom: 'Sender',
  },
  open: 'Open',
  closed: 'Closed',
  configured: (by: string) => `Set by ${by}. It can only be changed there.`,
  secretSet: (server: string) => `Now ${server}. Leave it empty to keep it.`,
  save: 'Save',
  saved: (group: string) => `${group}: saved`,
  test: 'Send me a test',
  removeServer: 'Remove the mail server',
  sent: 'The test was sent',
  notSent: 'The test was not sent',
});
