import type { FailureCause } from './ProxyFailure.ts';

/** The status and texts of a failure's response. */
export interface FailureText {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** What the user can do about it. */
  readonly advice: string;
  readonly retryAfterSecs?: number;
}

const openAgain = 'Open the device in Corral and press HTTP Proxy.';
const tryAgain = 'Try again in a moment.';

type Template = Omit<FailureText, 'text'> & { readonly text: string | ((where: string) => string) };

const templates: Readonly<Record<FailureCause, Template>> = {
  noToken: {
    status: 403,
    title: 'This page opens from Corral',
    text: 'Web pages of devices are shown to people who may access the device, and this browser has not come in that way.',
    advice: openAgain,
  },
  expired: {
    status: 403,
    title: 'The time for this page is over',
    text: 'Access to the web page of a device is given for a while, and that while has passed.',
    advice: openAgain,
  },
  used: {
    status: 403,
    title: 'This link was used already',
    text: 'A link to the web page of a device works once, in the browser that opens it first.',
    advice: openAgain,
  },
  withdrawn: {
    status: 403,
    title: 'Access to this page has ended',
    text: 'The session that opened this page is over, or its user may not access the device any more.',
    advice: 'Sign in again, or ask an owner of the project.',
  },
  foreign: {
    status: 403,
    title: 'Asked for by another page',
    text: 'A page of another site asked for this, and the pages of a device answer to themselves alone.',
    advice: 'Open the page by itself.',
  },
  malformed: {
    status: 400,
    title: 'This request cannot be passed on',
    text: 'It is not the kind of request that the web page of a device can be asked.',
    advice: 'Check the address.',
  },
  unsupported: {
    status: 405,
    title: 'This method is not passed on',
    text: 'The proxy passes on what browsers ask for; this is not among it.',
    advice: 'Use another method.',
  },
  stalledRequest: {
    status: 408,
    title: 'The request did not arrive whole',
    text: 'Its body stopped coming for a minute.',
    advice: 'Check the connection and send it again.',
  },
  garbled: {
    status: 502,
    title: 'The answer is no proper HTTP',
    text: (where) =>
      `What answers at ${where} does not speak HTTP as it should, so that nothing of it is shown.`,
    advice: 'Check which program listens on this port, and whether it speaks plain HTTP.',
  },
  refused: {
    status: 502,
    title: 'Nothing answers at this port',
    text: (where) => `The device is connected, but nothing listens on ${where}, or it hung up at once.`,
    advice: 'Check that the program on the device runs, and that the port is the right one.',
  },
  broken: {
    status: 502,
    title: 'The answer broke off',
    text: (where) => `The connection to ${where} broke before it had answered.`,
    advice: tryAgain,
  },
  offline: {
    status: 503,
    title: 'The device is not connected',
    text: 'Its web page can be reached as soon as the device is connected again.',
    advice: tryAgain,
    retryAfterSecs: 10,
  },
  busy: {
    status: 503,
    title: 'The device is busy',
    text: 'More is asked of this device at once than it can be asked.',
    advice: tryAgain,
    retryAfterSecs: 5,
  },
  notReady: {
    status: 503,
    title: 'Corral is not ready',
    text: 'It cannot find out at the moment who may see this page.',
    advice: tryAgain,
    retryAfterSecs: 2,
  },
  silent: {
    status: 504,
    title: 'The device does not answer',
    text: (where) => `The device is connected, but no answer came from ${where} in time.`,
    advice: 'Check that the program on the device is not stuck, and try again.',
  },
};

/** The texts of a failure; `port` is the device's port, if known. */
export function failureText(cause: FailureCause, port: number | undefined): FailureText {
  const where = port === undefined ? 'the device' : `port ${port} of the device`;
  const template = templates[cause];
  return { ...template, text: typeof template.text === 'string' ? template.text : template.text(where) };
}
