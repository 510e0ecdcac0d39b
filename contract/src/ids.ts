import { z } from 'zod';

/** The 58 symbols of every id, in order: digits and letters without 0, I, O and l. */
export const idAlphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** A source of random bytes, such as Web Crypto's `getRandomValues` with a new array. */
export type RandomBytes = (count: number) => Uint8Array;

/** One kind of id: its tag, its schema, and conversions between the public form and the raw part, which is the key in the database. */
export interface IdKind<Tag extends string> {
  readonly tag: Tag;
  readonly rawLength: number;
  readonly schema: z.ZodType<`${Tag}_${string}`, `${Tag}_${string}`>;
  /** The public id of a raw part. */
  of(raw: string): `${Tag}_${string}`;
  /** The raw part of a validated public id. */
  raw(id: `${Tag}_${string}`): string;
}

const symbols = '[1-9A-HJ-NP-Za-km-z]';

function kind<Tag extends string>(tag: Tag, rawLength: number, dated = false): IdKind<Tag> {
  const raw = dated ? `\\d{8}-\\d{4}-${symbols}{8}` : `${symbols}{${rawLength}}`;
  const pattern = new RegExp(`^${tag}_${raw}$`);
  const message = `must be ${tag}_ and ${dated ? 'a date, a time and 8' : rawLength} symbols`;
  return {
    tag,
    rawLength,
    schema: z
      .string()
      .max(tag.length + 1 + rawLength, message)
      .regex(pattern, message) as unknown as z.ZodType<`${Tag}_${string}`, `${Tag}_${string}`>,
    of: (rawPart) => `${tag}_${rawPart}`,
    raw: (id) => id.slice(tag.length + 1),
  };
}

/** Every kind of id and secret on the wire. */
export const ids = {
  clusterNode: kind('cluster_node', 22),
  user: kind('u', 22),
  userToken: kind('u_sk', 66),
  userTokenId: kind('u_pk', 22),
  sessionToken: kind('u_session_sk', 66),
  pendingSignIn: kind('u_sign_in_sk', 66),
  session: kind('u_session_pk', 22),
  /** A user's personal organization: the raw part is that of the user's id. */
  organization: kind('org', 22),
  project: kind('p', 22),
  projectInvitation: kind('p_invite', 22),
  deploymentToken: kind('deployment', 66),
  deploymentTokenId: kind('deployment_id', 22),
  device: kind('d', 22),
  deviceFingerprint: kind('d_sk', 44),
  deviceFingerprintId: kind('d_pk', 22),
  deviceCertificate: kind('d_c', 22),
  certificateAuthority: kind('p_ca', 22),
  deviceConnection: kind('d_conn', 22),
  deviceEvent: kind('d_ev', 22, true),
  pairingKey: kind('d_pairing', 22),
  deviceOperation: kind('d_op', 22),
  deviceOperationClaim: kind('d_op_claim', 22),
  fleetOperation: kind('flt_op', 22),
  /** A change of many devices. */
  fleetJob: kind('flt_job', 22),
  webhook: kind('hook', 22),
  /** A message of a webhook, which keeps its id when it is sent again; each has that of its event. */
  webhookMessage: kind('msg', 22, true),
  alertRule: kind('alert_rule', 22),
  alert: kind('alert', 22, true),
  alertMute: kind('alert_mute', 22),
  terminal: kind('term', 22, true),
  repository: kind('repo', 22),
  asset: kind('repo_a', 22),
  repositoryInvitation: kind('repo_invite', 22),
  publisher: kind('repo_pub', 22),
  package: kind('pkg', 22),
  packageVersion: kind('pkg_v', 22),
  job: kind('job', 22, true),
  auditAction: kind('audit_act', 22, true),
  auditEvent: kind('audit_ev', 22, true),
} as const;

/** Uniformly random symbols, by rejection sampling. */
export function randomSymbols(count: number, randomBytes: RandomBytes): string {
  let symbols = '';
  while (symbols.length < count) {
    for (const byte of randomBytes(count + 8)) {
      if (byte < 232 && symbols.length < count) symbols += idAlphabet[byte % 58];
    }
  }
  return symbols;
}

/** The raw part of a dated id: `YYYYMMDD-HHMM-` in UTC and 8 random symbols. */
export function datedRaw(atMs: number, randomBytes: RandomBytes): string {
  const minute = Math.floor(atMs / 60_000);
  if (last.minute !== minute) last = { minute, text: minuteText(minute) };
  return `${last.text}-${randomSymbols(8, randomBytes)}`;
}

/** Most ids are dated with the same minute as the one before. */
let last = { minute: 0, text: minuteText(0) };

function minuteText(minute: number): string {
  const digits = new Date(minute * 60_000).toISOString().replace(/[-:]/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(9, 13)}`;
}

/** The public form of the id kind under a key of `ids`, such as `Id<'project'>`. */
export type Id<Key extends keyof typeof ids> = `${(typeof ids)[Key]['tag']}_${string}`;
