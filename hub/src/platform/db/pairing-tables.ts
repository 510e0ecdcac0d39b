import type { Generated } from 'kysely';
import type { TimestampColumn } from './tables.ts';

interface PairingKeys {
  pairing_key_id: string;
  project_id: string;
  /** Its first six symbols, which lists show. */
  selector: string;
  /** A keyed digest of all ten. */
  digest: Buffer;
  name: string | null;
  tries: Generated<number>;
  created_at: TimestampColumn;
  expires_at: TimestampColumn;
  used_at: TimestampColumn | null;
  revoked_at: TimestampColumn | null;
  token_id: string | null;
}

/** The tables of pairing. */
export interface PairingTables {
  pairing_keys: PairingKeys;
}
