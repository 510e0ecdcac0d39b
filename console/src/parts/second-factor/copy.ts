import { catalogue } from '../../copy/catalogue.ts';

/** The texts of setting up and typing second factors. */
export const factorCopy = catalogue('secondFactor', {
  scan: 'Scan this with an authenticator app, such as the one on your phone:',
  picture: 'QR code for your authenticator app',
  typeInstead: 'Or type this secret into the app:',
  secret: 'secret of the authenticator',
  code: 'Code from the app',
  codeHint: 'Six digits that change every 30 seconds.',
  codeMissing: 'Please enter the code that the app shows.',
  recoveryCode: 'Recovery code',
  recoveryHint: 'One of the ten codes that you stored. Each works once.',
  recoveryMissing: 'Please enter a recovery code.',
  useRecoveryCode: 'Use a recovery code instead',
  useApp: 'Use the app instead',
  finish: 'Turn On and Sign In',
  codesStored: 'I stored them',
  startAgain: 'Start again',
  passkeyText: 'The browser asks for the fingerprint, face, PIN or key with which you made it.',
  usePasskey: 'Use your passkey',
  confirmText: 'You confirmed more than ten minutes ago.',
  passkeyInstead: 'Use a passkey instead',
  password: 'Password',
  passwordMissing: 'Please enter your password.',
  codesTitle: 'Your recovery codes',
  codesText:
    'Each stands in for the app once, if your phone is lost. Store them where your phone is not: they are shown only now.',
  codesWhat: 'recovery codes',
  download: 'Download',
});
