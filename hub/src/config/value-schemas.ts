import { objectStoreRules } from '@corral/contract';
import { z } from 'zod';
import { isAddressRange } from './addresses.ts';

const yes = ['true', 'on', 'yes', '1'];
const no = ['false', 'off', 'no', '0'];

/** A schema that says which values it takes, for `--help` and the reference. */
export const taking = <Value>(values: string, schema: z.ZodType<Value, string>): z.ZodType<Value, string> =>
  schema.describe(values);

/** A text that is not empty. */
export const textOf = (values: string): z.ZodType<string, string> =>
  taking(values, z.string().min(1, 'must not be empty'));
/** The path of a file, which is read later. */
export const filePath = textOf('the path of a file');
/** True or false. */
export const flag = taking(
  'true or false',
  z
    .string()
    .refine((word) => [...yes, ...no].includes(word.toLowerCase()), 'must be true or false')
    .transform((word) => yes.includes(word.toLowerCase())),
);
const rangeList = 'addresses or ranges such as 10.0.0.0/8, separated by commas';
/** A list of addresses and ranges. */
export const ranges = taking(
  rangeList,
  z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter((range) => range !== ''))
    .refine((list) => list.every(isAddressRange), `must be ${rangeList}`),
);

/** A whole number between two bounds, inclusive. */
export function wholeNumber(least: number, most: number): z.ZodType<number, string> {
  const values = `a whole number from ${least} to ${most}`;
  const message = `must be ${values}`;
  const schema = z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
  return taking(values, schema);
}

/** One of several words. */
export function oneOf<const Words extends readonly string[]>(
  ...words: Words
): z.ZodType<Words[number], string> {
  const values = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  const schema = z.string().refine((word) => words.includes(word), `must be ${values}`);
  return taking(values, schema as unknown as z.ZodType<Words[number], string>);
}

/** An address that fits. */
export function webAddress(isFitting: (url: URL) => boolean, values: string): z.ZodType<string, string> {
  const schema = z
    .string()
    .refine((value) => URL.canParse(value) && isFitting(new URL(value)), `must be ${values}`);
  return taking(values, schema);
}

/** The same values, changed to another form. */
export const changed = <Value>(schema: z.ZodType<string, string>, change: (value: string) => Value) =>
  taking(schema.description ?? '', schema.transform(change));

/** Whether an address is http or https, without a user. */
export const isWeb = (url: URL): boolean => ['http:', 'https:'].includes(url.protocol) && url.username === '';
/** An origin, normalised. */
export const origin = changed(
  webAddress(
    (url) => isWeb(url) && url.pathname === '/' && url.search === '' && url.hash === '',
    'an origin such as https://hub.example, without a path',
  ),
  (value) => new URL(value).origin,
);

const isPostgres = (url: URL): boolean => ['postgres:', 'postgresql:'].includes(url.protocol);
/** The URL of a PostgreSQL server. */
export const postgresUrl = webAddress(isPostgres, 'a URL such as postgres://user:password@server/database');

const isNats = (url: URL): boolean =>
  ['nats:', 'tls:'].includes(url.protocol) &&
  url.hostname !== '' &&
  ['', '/'].includes(url.pathname) &&
  isDecodable(url.username + url.password) &&
  url.search + url.hash === '';
const natsServers =
  'a URL such as nats://user:password@server:4222, or tls:// to demand encryption; several servers of one NATS are separated by commas';
/** The URLs of the servers of one NATS. */
export const natsUrls = taking(
  natsServers,
  z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter((url) => url !== ''))
    .refine(
      (list) => list.length > 0 && list.every((url) => URL.canParse(url) && isNats(new URL(url))),
      `must be ${natsServers}`,
    ),
);

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

const isSmtp = (url: URL): boolean =>
  ['smtp:', 'smtps:'].includes(url.protocol) &&
  url.hostname !== '' &&
  ['', '/'].includes(url.pathname) &&
  isDecodable(url.username + url.password) &&
  url.search + url.hash === '';
/** The URL of a mail server. */
export const smtpUrl = webAddress(isSmtp, 'a URL such as smtps://user:password@server:465');
const senders = 'an e-mail address, or a name and an address such as Corral <corral@hub.example>';
/** The sender of e-mails. */
export const mailSender = taking(
  senders,
  z
    .string()
    .regex(/^(?:[^<>@"\p{Cc}]* )?<[^\s@<>]+@[^\s@<>]+>$|^[^\s@<>]+@[^\s@<>]+$/u, `must be ${senders}`),
);

const isHttps = (url: URL): boolean => url.protocol === 'https:' && url.username === '';
/** The address of a page, normalised. */
export const httpsPage = changed(
  webAddress(isHttps, 'an https address such as https://hub.example/terms'),
  (value) => new URL(value).href,
);

const isIssuer = (url: URL): boolean => isWeb(url) && url.search + url.hash === '';
/** The issuer of tokens, to the letter as it writes itself. */
export const issuer = webAddress(isIssuer, 'an address such as https://idp.example/realms/people');

const mailAddress = /^(?:mailto:)?([^\s@<>?&%"#:,]+@[^\s@<>?&%"#:,]+)$/i;
const contacts = 'an e-mail address, or an https address such as https://hub.example/help';
/** A contact, always normalised to a link, so that the console can use it as it is. */
export const contact = taking(
  contacts,
  z
    .string()
    .refine(
      (value) => mailAddress.test(value) || (URL.canParse(value) && isHttps(new URL(value))),
      `must be ${contacts}`,
    )
    .transform((value) => {
      const address = mailAddress.exec(value)?.[1];
      return address === undefined ? new URL(value).href : `mailto:${address}`;
    }),
);

/** A setting of the S3-compatible store, with the rule that the console's form has. */
export const storeSetting = (name: keyof typeof objectStoreRules): z.ZodType<string, string> => {
  const ruleOf = (value: string) => {
    const problem = objectStoreRules[name](value);
    return problem?.slice(problem.indexOf(' must be ') + 1, -1);
  };
  const schema = z.string().superRefine((value, context) => {
    const message = ruleOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
  // No setting may hold a space, so the rule for one tells what it may.
  return taking(ruleOf(' ')?.replace(/^must be /, '') ?? '', schema);
};

/** Keys of the vault. */
export const secretKeys = taking(
  '32 bytes in base64, such as the output of `openssl rand -base64 32`; several are separated by commas',
  z
    .string()
    .transform((list) => list.split(/[\s,]+/).filter((key) => key !== ''))
    .refine(
      (list) => list.length > 0 && list.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key)),
      'must be 32 bytes in base64, such as the output of `openssl rand -base64 32`',
    ),
);
