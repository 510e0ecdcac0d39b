import { catalogue } from '../../copy/catalogue.ts';

/** The texts of the pages that stand for terms and a privacy policy where the administrator has configured none. */
export const policiesCopy = catalogue('policies', {
  terms: {
    title: 'Terms of Service',
    points: [
      'This instance of Corral is run by its administrator, who has not published terms of their own.',
      'Accounts are free evaluation accounts and may be ended at any time.',
      'Corral is beta software. Keep a copy of what you cannot do without.',
    ],
  },
  privacy: {
    title: 'Privacy Policy',
    points: [
      'This instance of Corral is run by its administrator, who has not published a privacy policy of their own. This is what the software keeps about you.',
      'Your name, your e-mail address, your choices on the sign-up form, and your password in a form from which it cannot be read.',
      'Your sessions: when each began, and the browser that it was opened with.',
      'What you do: the logs of the projects and repositories in which you work name you.',
      'All of it is in the database of this instance. The administrator can read it, except for the password.',
    ],
  },
  ask: 'Questions are answered by the administrator:',
  back: 'Back to sign-up',
});
