import { catalogue } from '../../copy/catalogue.ts';

/** The texts of the pages that stand for terms and a privacy policy where the administrator has configured none. */
export const policiesCopy = catalogue('policies', {
  terms: {
    title: 'Terms of Service',
    points: [
      'This instance of Corral is run by its administrator, who is responsible for it and has not published terms of their own. The authors of the software do not run it and cannot see into it.',
      'Accounts are free evaluation accounts and may be ended at any time.',
      'Connect devices and upload software only where you may. Members of a project can reach its devices, and members of a repository its files.',
      'Corral is beta software and comes without warranty. Keep a copy of what you cannot do without.',
    ],
  },
  privacy: {
    title: 'Privacy Policy',
    points: [
      'This instance of Corral is run by its administrator, who is responsible for the data in it and has not published a privacy policy of their own. This is what the software keeps about you, and for how long.',
      'Your account, until it is deleted: your name, your e-mail address, your choices on the sign-up form, and your password in a form from which it cannot be read.',
      'Your sessions, until you sign out and for at most 30 days: when each began and was last used, and the browser that it was opened with. Cookies keep you signed in and open web pages of devices; Corral sets no others.',
      'What you do: the logs of this instance and of the projects and repositories in which you work name your account, and what you entered, such as the addresses of people whom you invite. They are kept for 24 months unless the administrator has chosen another time, also after your account is deleted.',
      'Failed sign-ins, for a short time: with codes from which neither your e-mail address nor your network can be read.',
      'All of it is in the database of this instance and in its backups. The administrator can read it, except for the password. Nothing is sent to the authors of Corral.',
    ],
  },
  ask: 'Questions are answered by the administrator:',
  back: 'Back to sign-up',
});
