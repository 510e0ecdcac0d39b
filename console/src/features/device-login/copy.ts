import { catalogue } from '../../copy/catalogue.ts';

/** The texts of the page at which a code of the command line is confirmed. */
export const deviceLoginCopy = catalogue('deviceLogin', {
  text: 'After “corral login” the command line shows a code. Enter it here to give it a user token.',
  code: 'Code',
  codeHint: 'Eight letters, as the terminal shows them.',
  codeEmpty: 'Please enter the code.',
  next: 'Continue',
  notFound: 'No sign-in is waiting for this code. Check it, or run “corral login” again for a new one.',
  asks: 'A command line asks for a user token',
  name: 'Asked by',
  address: 'From',
  asked: 'Asked',
  access: 'Access',
  read: 'Only reads',
  full: 'All that you may do',
  administrator: 'Everything that you may do, including administration',
  projects: 'Projects',
  repositories: 'Repositories',
  all: 'All of yours',
  validFor: 'Good for',
  days: (count: number) => (count === 1 ? '1 day' : `${count} days`),
  warning: 'Approve only what you asked for',
  warningText:
    'Compare the code with the one in your own terminal. Whoever sent you a code gets access to your account.',
  approve: 'Approve',
  deny: 'Deny',
  approvedTitle: 'Approved',
  approvedText: 'The command line continues automatically. You can close this page.',
  deniedTitle: 'Denied',
  deniedText: 'The command line does not get a token.',
  another: 'Enter another code',
});
