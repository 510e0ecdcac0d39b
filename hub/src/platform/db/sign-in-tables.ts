import type { ColumnType, Generated } from 'kysely';
import type { TimestampColumn } from './tables.ts';

/** The authenticators of users. */
interface TotpFactors {
  user_id: string;
  sealed: Buffer;
  sealed_under: string;
  /** The step of the last accepted code: each is accepted once. */
  last_step: number;
  /** Since the last right one; ten lock the factor. */
  wrong_codes: Generated<number>;
  last_wrong_at: TimestampColumn | null;
  created_at: TimestampColumn;
  /** Whether who set it up had proved who it is, or a session of it has since; others confirm nothing. */
  is_proved: Generated<boolean>;
}

/** Authenticators that users are setting up; a user has at most one. */
interface TotpEnrolments {
  user_id: string;
  sealed: Buffer;
  sealed_under: string;
  created_at: TimestampColumn;
}

interface RecoveryCodes {
  user_id: string;
  code_hash: Buffer;
  used_at: TimestampColumn | null;
  /** As of authenticators. */
  is_proved: Generated<boolean>;
}

/** By its credential id, a passkey of a user. */
interface Passkeys {
  credential_id: string;
  user_id: string;
  name: string;
  /** The host name of the hub when it was made: it works at no other. */
  rp_id: string;
  /** In COSE. */
  public_key: Buffer;
  counter: number;
  transports: string[];
  is_backed_up: boolean;
  created_at: TimestampColumn;
  last_used_at: ColumnType<string | null, Date | string | null | undefined, Date | string | null>;
}

/** Challenges that were answered; each is good once. */
interface UsedChallenges {
  challenge: string;
  expires_at: TimestampColumn;
}

/** Sign-ins whose password was right and that wait for a second factor or its enrolment. */
interface PendingSignIns {
  pending_id: string;
  secret_hash: Buffer;
  user_id: string;
  methods: string[];
  wants: 'Factor' | 'Enrolment';
  user_agent: string;
  address: string | null;
  valid_for_secs: number;
  issuer: string | null;
  subject: string | null;
  provider_session_id: string | null;
  provider_authenticated_at: TimestampColumn | null;
  /** How many codes were tried. */
  tries: Generated<number>;
  created_at: TimestampColumn;
  expires_at: TimestampColumn;
}

/** The settings of the provider with which an administrator has signed in there. */
interface ProviderTests {
  issuer: string;
  client_id: string;
  tested_at: TimestampColumn;
}

/** Logout tokens of the provider; each counts once. */
interface UsedLogoutTokens {
  issuer: string;
  token_id: string;
  expires_at: TimestampColumn;
}

interface UserIdentities {
  issuer: string;
  subject: string;
  user_id: string;
  /** As the provider says; it may be another's. */
  email: string | null;
  name: string | null;
  linked_at: TimestampColumn;
  last_used_at: TimestampColumn | null;
}

interface UserSessions {
  session_id: string;
  secret_hash: Buffer;
  user_id: string;
  user_agent: string;
  created_at: TimestampColumn;
  last_used_at: TimestampColumn;
  /** The session ends after this long without use, in seconds. */
  idle_timeout_secs: number;
  expires_at: TimestampColumn;
  methods: Generated<string[]>;
  /** Null for a session of an earlier release, which was authenticated when it began. */
  authenticated_at: TimestampColumn | null;
  /** As for `authenticated_at`. */
  stepped_up_at: TimestampColumn | null;
  address: string | null;
  /** The key of its present token; null while that is its id. */
  token_key: string | null;
  /** The identity that it began with, and the session at the provider, which may end it. */
  issuer: string | null;
  subject: string | null;
  provider_session_id: string | null;
}

/** The tables of how users sign in, and of their sessions. */
export interface SignInTables {
  totp_factors: TotpFactors;
  totp_enrolments: TotpEnrolments;
  recovery_codes: RecoveryCodes;
  passkeys: Passkeys;
  used_challenges: UsedChallenges;
  pending_sign_ins: PendingSignIns;
  provider_tests: ProviderTests;
  used_logout_tokens: UsedLogoutTokens;
  user_identities: UserIdentities;
  user_sessions: UserSessions;
}
