/** The path of the page on which people ask for no more e-mails of an alert rule; it needs no sign-in. */
export const unsubscribePath = '/api/unsubscribe';
