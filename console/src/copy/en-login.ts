/** The texts of the pages for visitors who are not signed in. */
export const enLogin = {
  login: {
    title: 'Welcome Back',
    text: 'Please enter your email and password to sign in.',
    email: 'Email',
    password: 'Password',
    rememberMe: 'Remember me',
    forgot: 'Forgot your password?',
    submit: 'Sign In',
    submitting: 'Signing in',
    noAccount: 'No account yet?',
    signUp: 'Sign up',
    emailRequired: 'Please enter your email address.',
    passwordRequired: 'Please enter your password.',
    errorTitle: 'Error',
    wrongCredentials: 'Invalid username or password!',
    panelFirst: 'Ready to use. Secure by design.',
    panelSecond: 'Scalable. Extensible.',
    panelText:
      'Components for connected devices that fit your applications, your infrastructure and your workflows.',
    panelPicture: 'Devices that connect one after the other',
    about: 'About the product',
    panelAccounts: 'Accounts are free evaluation accounts and may be ended at any time.',
  },
  operatorNotice: 'Notice',
  insecureTitle: 'Connection',
  insecure: 'This connection is not encrypted: whoever is between you and the hub can read along.',
} as const;
