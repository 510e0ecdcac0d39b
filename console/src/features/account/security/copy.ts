import { catalogue } from '../../../copy/catalogue.ts';

/** The texts of the password and the user tokens. */
export const securityCopy = catalogue('security', {
  passwordTitle: 'Change password',
  newPassword: 'New password',
  confirmation: 'Confirm new password',
  passwordText: 'All your other sessions end when the password changes.',
  change: 'Change Password',
  changed: 'Your password was changed',
  changedText: 'Your other sessions were ended.',
  tokensTitle: 'User tokens',
  tokensText: 'A token lets the command line and programs act in your name.',
  tokenNameHint: 'What will use it, such as the name of a machine.',
  tokenSecret: 'user token',
  tokenCreated: 'User token created',
  tokenUse: 'The command line asks for it:',
  tokenCommand: 'command that sets up the command line',
  columnId: 'Token Id',
  columnCreated: 'Created At',
  columnUsed: 'Last Used',
  deleteTitle: (name: string) => `Delete token ${name}`,
  deleteText: 'Whatever uses this token is cut off at once. This cannot be undone.',
  tokenDeleted: (name: string) => `Token ${name} was deleted`,
  noTokensTitle: 'No user tokens',
  noTokensText: 'Create one to use the command line or the API in your name.',
});
