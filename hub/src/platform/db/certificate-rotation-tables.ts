import type { Actor, RotationState } from '@corral/contract';
import type { JsonColumn, TimestampColumn } from './tables.ts';

interface CertificateRotations {
  rotation_id: string;
  /** Of when it began. */
  project_id: string;
  device_id: string;
  /** What the new key signs, together with the id of the device. */
  nonce: string;
  state: RotationState;
  grace_secs: number;
  reason: string | null;
  started_by: JsonColumn<Actor>;
  started_at: TimestampColumn;
  /** Until when a certificate may be announced. */
  until: TimestampColumn;
  /** The one that was announced. */
  certificate_id: string | null;
  announced_at: TimestampColumn | null;
  arrived_at: TimestampColumn | null;
  old_ends_at: TimestampColumn | null;
  ended_at: TimestampColumn | null;
  /** Why the last announcement was refused, as a sentence. */
  problem: string | null;
}

/** The tables of the rotation of certificates. */
export interface CertificateRotationTables {
  certificate_rotations: CertificateRotations;
}
