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
    title: 'Open this page from Corral',
    text: 'Web pages of devices are shown only to people who may access the device, and this browser has no access yet.',
    advice: openAgain,
  },
  expired: {
    status: 403,
    title: 'Access to this page has expired',
    text: 'Access to the web page of a device is granted for a limited time, which has passed.',
    advice: openAgain,
  },
  used: {
    status: 403,
    title: 'This link has already been used',
    text: 'A link to the web page of a device works once, in the browser that opens it first.',
    advice: openAgain,
  },
  withdrawn: {
    status: 403,
    title: 'Access to this page has ended',
    text: 'The session that opened this page has ended, or its user may no longer access the device.',
    advice: 'Sign in again, or ask an owner of the project.',
  },
  foreign: {
    status: 403,
    title: 'Request from another site',
    text: 'Another site sent this request, and the web page of a device accepts requests only from itself.',
    advice: 'Open the page directly.',
  },
  malformed: {
    status: 400,
    title: 'This request cannot be forwarded',
    text: 'It is not a valid request for the web page of a device.',
    advice: 'Check the address.',
  },
  unsupported: {
    status: 405,
    title: 'This method is not supported',
    text: 'The proxy forwards only the HTTP methods that browsers use.',
    advice: 'Use another method.',
  },
  stalledRequest: {
    status: 408,
    title: 'The request is incomplete',
    text: 'No further part of its body arrived for a minute.',
    advice: 'Check the connection and send the request again.',
  },
  garbled: {
    status: 502,
    title: 'The response is not valid HTTP',
    text: (where) => `The program at ${where} does not send valid HTTP, so its response is not shown.`,
    advice: 'Check which program listens on this port, and whether it speaks plain HTTP.',
  },
  refused: {
    status: 502,
    title: 'Nothing answers at this port',
    text: (where) =>
      `The device is connected, but nothing listens on ${where}, or it closed the connection at once.`,
    advice: 'Check that the program on the device is running, and that the port is correct.',
  },
  broken: {
    status: 502,
    title: 'The connection was lost',
    text: (where) => `The connection to ${where} ended before the response was complete.`,
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
    text: 'It has reached the limit of simultaneous requests.',
    advice: tryAgain,
    retryAfterSecs: 5,
  },
  notReady: {
    status: 503,
    title: 'Corral is not ready',
    text: 'It cannot check at the moment who may see this page.',
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
