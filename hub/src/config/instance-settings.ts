import { deviceQuotas, userQuotas, type DeviceQuota, type Json, type UserQuota } from '@corral/contract';
import { z } from 'zod';
import { readDomains } from '../auth/oidc/email-domains.ts';
import { groupMappingForms, readGroupMapping } from '../auth/oidc/group-mapping.ts';
import type { Config } from './config.ts';
import { keys, type KeyName } from './keys.ts';

/** One setting that administrators may change while the hub runs. */
export interface InstanceSetting {
  /** What it is called in sentences. */
  readonly label: string;
  /** One sentence. */
  readonly doc: string;
  /** The value where nothing is set. */
  readonly fallback: Json;
  /** Secrets are stored sealed, and never returned. */
  readonly isSecret: boolean;
  /** Where the configuration sets it, and to what; it cannot be changed then. */
  readonly configured: { readonly by: string; readonly value: Json } | undefined;
  /** Parses a value; one that is out of range is a problem, in a sentence. */
  parse(value: Json): { readonly value: Json } | { readonly problem: string };
  /** What administrators may see of a value. */
  shown(value: Json): Json;
}

/** Every setting, by its key. */
export type InstanceSettingMap = ReadonlyMap<string, InstanceSetting>;

interface Definition {
  readonly label: string;
  readonly doc: string;
  readonly fallback: Json;
  readonly schema: z.ZodType<Json, string>;
  /** The key of the configuration that overrides it. */
  readonly configKey?: KeyName;
  /** In characters; 2,000 by default. */
  readonly maxLength?: number;
  readonly shown?: (value: Json) => Json;
}

const maxTextLength = 2_000;

function wholeNumber(min: number, max: number): z.ZodType<Json, string> {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** A setting of the same name, with the rule and the sentence that the configuration has. */
function asConfigured<Name extends KeyName>(name: Name, label: string, fallback: Json): Definition {
  const { doc, schema } = keys[name];
  return { label, doc, fallback, schema: schema as unknown as z.ZodType<Json, string>, configKey: name };
}

/** The server of a mail URL, without user and password. */
function withoutCredentials(value: Json): Json {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const { protocol, host } = new URL(value);
  return `${protocol}//${host}`;
}

const quotasOfDevices: Record<DeviceQuota, Definition> = {
  devicesPerProject: {
    label: 'The number of devices',
    doc: 'How many devices one project may have.',
    fallback: deviceQuotas.devicesPerProject,
    schema: wholeNumber(1, 100_000_000),
  },
  devicePropertyBytes: {
    label: 'The number of bytes',
    doc: 'How many bytes the properties and the metadata of one device may have together, as JSON.',
    fallback: deviceQuotas.devicePropertyBytes,
    schema: wholeNumber(65_536, 1_073_741_824),
  },
  deviceEventsPerDay: {
    label: 'The number of events',
    doc: 'How many events one device may send on one day in UTC.',
    fallback: deviceQuotas.deviceEventsPerDay,
    schema: wholeNumber(1_000, 1_000_000_000),
  },
  deviceEventBytesPerDay: {
    label: 'The number of bytes',
    doc: 'How many bytes the body and the attributes of these events may have, as JSON.',
    fallback: deviceQuotas.deviceEventBytesPerDay,
    schema: wholeNumber(1_048_576, 1_099_511_627_776),
  },
};

const quotasOfUsers: Record<UserQuota, Definition> = {
  ownedPerUser: {
    label: 'The number of projects and repositories',
    doc: 'How many projects and repositories one user may own together; who owns more keeps them.',
    fallback: userQuotas.ownedPerUser,
    schema: wholeNumber(1, 1_000_000),
  },
  recordedRowsPerHour: {
    label: 'The number of rows',
    doc: 'How many rows the commands of one user may add to the audit log within an hour.',
    fallback: userQuotas.recordedRowsPerHour,
    schema: wholeNumber(1_000, 1_000_000_000),
  },
};

const secondFactorPolicy: Record<'secondFactor' | 'secondFactorGraceDays', Definition> = {
  secondFactor: {
    label: 'The policy of second factors',
    doc: 'Who needs a second factor to sign in: nobody (optional), administrators, or everyone.',
    fallback: 'optional',
    schema: z.enum(
      ['optional', 'administrators', 'everyone'],
      'must be optional, administrators or everyone',
    ),
  },
  secondFactorGraceDays: {
    label: 'The number of days',
    doc: 'How many days people may still sign in without a second factor, from their first sign-in after the policy was changed.',
    fallback: 7,
    schema: wholeNumber(0, 90),
  },
};

const passwords: Definition = {
  label: 'The rule about passwords',
  doc: 'Who may sign in with a password beside the provider: everyone (allowed), administrators, or nobody. Passkeys go on.',
  fallback: 'allowed',
  schema: z.enum(['allowed', 'administrators', 'nobody'], 'must be allowed, administrators or nobody'),
};

const domainsForm = 'must be domains such as example.com, separated by commas';

const rightsByProvider: Record<'oidcGroupsClaim' | 'oidcGroups' | 'oidcDomains', Definition> = {
  oidcGroupsClaim: {
    label: 'The claim of groups',
    doc: 'The claim in which the provider lists the groups of a person.',
    fallback: 'groups',
    schema: z
      .string()
      .trim()
      .regex(/^[^\s\p{C}]{1,100}$/u, 'must be a name without spaces, at most 100 characters long'),
  },
  oidcGroups: {
    label: 'The rights of groups',
    doc: 'What the groups of a person at the provider give, at each sign-in there; a line a group and right.',
    fallback: null,
    schema: z
      .string()
      .refine((text) => (readGroupMapping(text) ?? []).length > 0, `must be ${groupMappingForms}`)
      .transform((text) => text.trim()),
    // A hundred projects with groups named as in directories.
    maxLength: 10_000,
  },
  oidcDomains: {
    label: 'The list of domains',
    doc: 'Who signs in at the provider with a verified address in one of these domains gets an account; empty for nobody.',
    fallback: null,
    schema: z
      .string()
      .refine((list) => (readDomains(list) ?? []).length > 0, domainsForm)
      .transform((list) => [...new Set(readDomains(list))].join(', ')),
  },
};

/** The settings in the order of the form. */
const definitions = (config: Config): Record<string, Definition> => ({
  registration: asConfigured('registration', 'Registration', 'open'),
  banner: {
    ...asConfigured('banner', 'The banner', null),
    doc: 'A line of text above the console. Only the configuration file may set HTML.',
    schema: z.string().min(1, 'must not be empty').max(1_000, 'must be at most 1000 characters long'),
  },
  adminContact: asConfigured('adminContact', 'The contact', null),
  termsUrl: asConfigured('termsUrl', 'The link to the Terms of Service', null),
  privacyUrl: asConfigured('privacyUrl', 'The link to the Privacy Policy', null),
  productUrl: asConfigured('productUrl', 'The product link', null),
  eventRetentionMonths: asConfigured('eventRetentionMonths', 'The number of months', 12),
  connectionHistoryDays: {
    label: 'The number of days',
    doc: 'The number of days for which ended connections of devices are kept, at most 50 of each device.',
    fallback: 90,
    schema: wholeNumber(1, 3650),
  },
  ...quotasOfDevices,
  ...quotasOfUsers,
  quotaMaxBytes: {
    label: 'The number of bytes',
    doc: 'How many bytes a repository may have that is created from now on; empty for as many as fit.',
    fallback: null,
    schema: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  },
  quotaMaxAssets: {
    label: 'The number of assets',
    doc: 'How many assets a repository may have that is created from now on; empty for any number.',
    fallback: null,
    schema: wholeNumber(1, 1_000_000_000),
  },
  ...secondFactorPolicy,
  oidcIssuer: asConfigured('oidcIssuer', 'The issuer', null),
  oidcClientId: asConfigured('oidcClientId', 'The client id', null),
  oidcClientSecret: {
    ...asConfigured('oidcClientSecret', 'The client secret', null),
    shown: (value) => (value === null ? null : 'set'),
  },
  oidcName: asConfigured('oidcName', 'The name of the provider', null),
  ...rightsByProvider,
  passwords,
  ciIssuers: asConfigured('ciIssuers', 'The list of CIs', null),
  smtpUrl: { ...asConfigured('smtpUrl', 'The mail server', null), shown: withoutCredentials },
  mailFrom: asConfigured('mailFrom', 'The sender', config.mailFrom),
  heartbeatUrl: asConfigured('heartbeatUrl', 'The heartbeat', null),
});

/** The settings that administrators may change, unless this configuration sets them. */
export function instanceSettings(config: Config): InstanceSettingMap {
  const entries = Object.entries(definitions(config)).map(([key, definition]) => {
    const { label, doc, fallback, configKey } = definition;
    const isSecret = configKey !== undefined && 'isSecret' in keys[configKey];
    const setting: InstanceSetting = {
      label,
      doc,
      fallback,
      isSecret,
      configured: configuredValue(config, configKey),
      parse: (value) => parse(definition, value),
      shown: definition.shown ?? ((value) => value),
    };
    return [key, setting] as const;
  });
  return new Map(entries);
}

function configuredValue(config: Config, name: KeyName | undefined): InstanceSetting['configured'] {
  const by = name === undefined ? undefined : config.configuredBy[name];
  if (by === undefined) return undefined;
  return { by, value: (config as unknown as Record<string, Json>)[name ?? ''] ?? null };
}

function parse(
  { label, schema, maxLength = maxTextLength }: Definition,
  value: Json,
): ReturnType<InstanceSetting['parse']> {
  const isScalar = typeof value === 'string' || typeof value === 'number';
  if (!isScalar) return { problem: `${label} must be a text or a number, or null for the default.` };
  if (String(value).length > maxLength)
    return { problem: `${label} must be at most ${maxLength} characters long.` };
  const result = schema.safeParse(String(value));
  if (result.success) return { value: result.data };
  return { problem: `${label} ${result.error.issues[0]?.message ?? 'is wrong'}.` };
}
