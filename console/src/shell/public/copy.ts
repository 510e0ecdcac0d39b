import { catalogue } from '../../copy/catalogue.ts';

/** The texts around the pages for visitors, and of the notices above every page. */
export const publicCopy = catalogue('public', {
  panelFirst: 'Ready to use. Secure by design.',
  panelSecond: 'Scalable. Extensible.',
  panelText:
    'Components for connected devices that fit your applications, your infrastructure and your workflows.',
  panelPicture: 'Devices that connect one after the other',
  about: 'About the product',
  panelAccounts: 'Accounts are free evaluation accounts and may be ended at any time.',
  operatorNotice: 'Notice',
  insecureTitle: 'Connection',
  insecure: 'This connection is not encrypted: anyone between you and the hub can read what you send.',
});
